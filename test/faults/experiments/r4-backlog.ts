import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { toEnvelope } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { random } from '../../../vision/rng';
import { type Experiment, type Run, scaled } from '../experiment';
import { effectsBy, tally } from '../lab/effects';
import type { Lab } from '../lab/lab';
import { messagesIn, setTaking, untilEmpty } from '../lab/queues';
import { itemQueued } from '../project/events/item-queued.v1';
import { type Plan, passEverything, randomFaults } from '../proxy/plan';

/** Three calls in ten are refused, two because of their number, one because the service broke. */
const RATES = { throttle: 0.2, error: 0.1 };

/** Drain time against that of the bare loop, at most. */
const MAX_RATIO = 1.3;

/** A queue with its consumer, and how it is filled. */
interface Backlog {
  readonly functionName: string;
  readonly queue: string;
  readonly fill: () => Promise<void>;
}

interface Drained {
  /** For each backlog; undefined: not in time. */
  readonly seconds: readonly (number | undefined)[];
  /** Calls that reached the target, by service. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Fills queues while nobody takes from them, and measures how long each takes to get empty. They drain side by side. */
async function drain(lab: Lab, backlogs: readonly Backlog[], plan: Plan): Promise<Drained> {
  const calls: Record<string, number> = {};
  for (const { functionName, fill } of backlogs) {
    await setTaking(lab, functionName, false);
    await fill();
  }
  lab.proxy.plan = plan;
  lab.proxy.witness = ({ service }) => {
    calls[service] = (calls[service] ?? 0) + 1;
  };
  const seconds = await Promise.all(
    backlogs.map(async ({ functionName, queue }) => {
      const begin = Date.now();
      await setTaking(lab, functionName, true);
      const end = await untilEmpty(lab, [queue], { timeoutSeconds: 1800, log: () => undefined });
      return end && (end - begin) / 1000;
    }),
  );
  lab.proxy.plan = passEverything;
  lab.proxy.witness = () => undefined;
  return { seconds, calls };
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

async function publishBare({ pipeline }: Lab, loads: readonly object[]): Promise<void> {
  for (let i = 0; i < loads.length; i += 10) {
    const Entries = loads.slice(i, i + 10).map((load) => ({
      EventBusName: pipeline.bus,
      Source: 'faults',
      DetailType: 'bare.queued',
      Detail: JSON.stringify(load),
    }));
    await pipeline.clients.eventbridge.send(new PutEventsCommand({ Entries }));
  }
}

async function run({ scale, seed, log, lab }: Run) {
  await lab.open(log);
  const { pipeline } = lab;
  const count = scaled(5_000, scale);
  const names = numbered('r4-rough-', count);
  const backlogOf = (items: readonly string[]): Backlog => ({
    functionName: pipeline.output(OUTPUT.function('drain-item')),
    queue: pipeline.output(OUTPUT.queue('drain-item')),
    fill: () => {
      const time = new Date();
      return lab.publish(items.map((item) => toEnvelope(itemQueued.create({ item }), { id: item, time })));
    },
  });
  const smooth = await drain(lab, [backlogOf(numbered('r4-smooth-', count))], passEverything);
  const perItem = (service: string) => Math.round((smooth.calls[service] ?? 0) / count);
  const load = { dynamodb: perItem('dynamodb'), events: perItem('events') };
  log(`R4: ${count} items without faults in ${smooth.seconds} s, ${JSON.stringify(load)} calls each`);
  const bare: Backlog = {
    functionName: pipeline.output('FunctionBareDrain'),
    queue: pipeline.output('QueueBareDrain'),
    fill: () =>
      publishBare(
        lab,
        numbered('r4-bare-', count).map((item) => ({ item, ...load })),
      ),
  };
  const faults = randomFaults(random(seed, 4), RATES);
  const [rough, ideal] = (await drain(lab, [backlogOf(names), bare], faults)).seconds;
  const { lost, doubled } = tally(names, await effectsBy(lab, 'drain-item', 'r4-rough-'));
  const parked = await messagesIn(lab, pipeline.output(OUTPUT.deadLetterQueue('drain-item')));
  const ratio = rough && ideal && rough / ideal;
  const measured = {
    backlog: count,
    seconds: rough ?? 'not drained',
    bare_loop_seconds: ideal ?? 'not drained',
    ratio: ratio === undefined ? 'none' : Math.round(ratio * 100) / 100,
    without_faults_seconds: smooth.seconds[0] ?? 'not drained',
    good_parked: parked,
    lost,
    doubled,
  };
  return { measured, pass: parked + lost + doubled === 0 && ratio !== undefined && ratio <= MAX_RATIO };
}

const experiment: Experiment = {
  id: 'R4',
  title: 'A backlog worked off two at a time while three calls in ten fail',
  target: `5,000 messages: none parked, lost or doubled; drained in at most ${MAX_RATIO} times what a bare loop takes for the same calls with the same failures`,
  run,
};

export default experiment;
