import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { toEnvelope } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { random } from '../../../vision/rng';
import { type Experiment, type Run, scaled } from '../experiment';
import { KillPlan, type Script } from '../kills/kill-plan';
import { belongsTo, headraceScript, powertoolsScript } from '../kills/scripts';
import { effectsBy, tally } from '../lab/effects';
import type { Lab } from '../lab/lab';
import { messagesIn, untilEmpty } from '../lab/queues';
import { workRequested } from '../project/events/work-requested.v1';
import { PASS } from '../proxy/plan';

/** One of the consumers that are killed, side by side. */
interface Consumer {
  readonly functionName: string;
  readonly script: Script;
}

interface Consumers {
  readonly headrace: Consumer;
  readonly powertools: Consumer;
}

function consumersOf({ pipeline }: Lab): Consumers {
  return {
    headrace: {
      functionName: pipeline.output(OUTPUT.function('do-work')),
      script: headraceScript('do-work', pipeline.output(OUTPUT.ledger), 'work.done'),
    },
    powertools: {
      functionName: pipeline.output('FunctionPowertoolsWork'),
      script: powertoolsScript(pipeline.output('TablePowertoolsWork')),
    },
  };
}

/** Lets the proxy kill both consumers by their plans. */
function killBy(lab: Lab, plans: readonly (readonly [Consumer, KillPlan])[]): void {
  lab.proxy.plan = (call) => {
    const own = plans.find(([{ script }]) => belongsTo(script, call));
    return own ? own[1].decide(call) : PASS;
  };
  lab.proxy.witness = (call, status) => {
    if (status !== 200) return;
    for (const [{ script }, plan] of plans) if (script.makesEffect(call)) plan.sawEffect();
  };
}

/** The same requests for both: as Headrace events, and as plain ones. */
async function publishAll(lab: Lab, names: readonly string[]): Promise<void> {
  const { pipeline } = lab;
  const time = new Date();
  const envelopes = names.map((work) => toEnvelope(workRequested.create({ work }), { id: work, time }));
  const plain = async () => {
    for (let i = 0; i < names.length; i += 10) {
      const Entries = names.slice(i, i + 10).map((work) => ({
        EventBusName: pipeline.bus,
        Source: 'faults',
        DetailType: 'powertools.requested',
        Detail: JSON.stringify({ work }),
      }));
      await pipeline.clients.eventbridge.send(new PutEventsCommand({ Entries }));
    }
  };
  await Promise.all([lab.publish(envelopes), plain()]);
}

async function run({ scale, seed, log, lab }: Run) {
  await lab.open(log);
  const { pipeline } = lab;
  const names = Array.from({ length: scaled(10_000, scale) }, (_, i) => `r1-${i}`);
  const kills = scaled(200, scale);
  const { headrace, powertools } = consumersOf(lab);
  const planFor = ({ functionName, script }: Consumer, salt: number) =>
    new KillPlan({
      kills,
      effects: names.length,
      script,
      random: random(seed, 1, salt),
      kill: () => lab.target.killWorkers(functionName),
    });
  const own = planFor(headrace, 0);
  const theirs = planFor(powertools, 1);
  killBy(lab, [
    [headrace, own],
    [powertools, theirs],
  ]);
  log(`R1: ${kills} kills each over ${names.length} events`);
  await publishAll(lab, names);
  const queues = [OUTPUT.queue('do-work'), OUTPUT.queue('count-done'), 'QueuePowertoolsWork'].map((key) =>
    pipeline.output(key),
  );
  const patience = { timeoutSeconds: 300 + 30 * kills, log };
  const settled = (await untilEmpty(lab, queues, patience)) !== undefined;
  lab.proxy.plan = () => PASS;
  const made = tally(names, await effectsBy(lab, 'do-work', 'r1-'));
  const next = tally(names, await effectsBy(lab, 'count-done', 'r1-'));
  const beside = tally(names, await effectsBy(lab, 'powertools-work', 'r1-'));
  const parked = await messagesIn(lab, pipeline.output(OUTPUT.deadLetterQueue('do-work')));
  const measured = {
    events: names.length,
    kills: own.total,
    at: own.done,
    lost: made.lost,
    doubled: made.doubled,
    repeated_calls: made.repeatedCalls,
    next_module_lost: next.lost,
    next_module_doubled: next.doubled,
    parked,
    powertools: { kills: theirs.total, lost: beside.lost, doubled: beside.doubled },
    ...(!settled && { unsettled: 'not over in time: what counts as lost may still have been in the queues' }),
  };
  const clean = made.lost + made.doubled + next.lost + next.doubled + parked === 0;
  return { measured, pass: settled && own.total === kills && clean };
}

const experiment: Experiment = {
  id: 'R1',
  title: 'Workers killed at random and at every point of their work',
  target: '200 kills over 10,000 events: 0 lost, 0 doubled; Powertools idempotency beside it, for comparison',
  run,
};

export default experiment;
