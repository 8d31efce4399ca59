import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { type Envelope, HeadraceError, LIMITS, toEnvelope } from '../../../lib/contract';
import { OUTPUT, type Pace, paceOf, type Workflow } from '../../../lib/module';
import { itemEvents } from '../../../lib/module/history';
import { Ledger } from '../../../lib/runtime';
import { runFor } from '../../../lib/runtime/start-runs';
import { MAX_RUN_AND_ITEM } from '../../../lib/runtime/state-room';
import { shortenChapters } from '../../e2e/support/chapters';
import { raceCalled } from '../../fixtures/long-project/events/race-called.v1';
import runLap from '../../fixtures/long-project/lambdas/run-lap/module';
import runRace from '../../fixtures/long-project/workflows/run-race';
import { type Experiment, type Run, type Scale, scaled } from '../experiment';
import { RaceLab } from '../runs/race-lab';

/** What one case came to: it passed, or it was refused with a code, or something else happened. */
type Result = 'passed' | `refused ${string}` | `wrong: ${string}`;

interface Case {
  readonly limit: string;
  /** How far from the limit. */
  readonly off: number;
  readonly expected: Result;
  try(lab: RaceLab): Promise<Result>;
}

const OFFS = [-1, 0, 1];
const UUID = '00000000-0000-4000-8000-000000000000';
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** What comes of a run: it succeeds, or is refused with a code that its failure tells. */
async function outcomeOf(lab: RaceLab, run: string): Promise<Result> {
  const { status, error } = await lab.endOf(run);
  if (status === 'SUCCEEDED') return 'passed';
  const code = /HR\d{3}/.exec(error)?.[0];
  return code ? `refused ${code}` : `wrong: ${status} ${error.slice(0, 100)}`;
}

async function orRefused(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    return error instanceof HeadraceError ? `refused ${error.code}` : `wrong: ${(error as Error).message}`;
  }
}

/** Events of so many bytes with their envelope, each the start of a run. */
function eventCases(): Case[] {
  const draft = (ballast: string) => raceCalled.create({ race: 'r-size', laps: [1], ballast });
  const empty = bytes(toEnvelope(draft(''), { id: UUID, time: new Date() }));
  return OFFS.map((off) => ({
    limit: 'bytes of an event that starts a run',
    off,
    expected: off > 0 ? 'refused HR104' : 'passed',
    try: (lab) =>
      orRefused(async () => {
        const [run = ''] = await lab.call(draft('x'.repeat(LIMITS.eventBytes.value + off - empty)));
        return outcomeOf(lab, run);
      }),
  }));
}

/** Items that fill the state beside their run. */
function itemCases(): Case[] {
  return OFFS.map((off) => ({
    limit: 'bytes of an item beside its run',
    off,
    expected: off > 0 ? 'refused HR311' : 'passed',
    try: async (lab) => {
      const draft = (item_ballast: number) =>
        raceCalled.create({ race: 'r-item', laps: [1], ballast: 'x'.repeat(100_000), item_ballast });
      const run = runFor({ name: 'run-race' }, openedAs(toEnvelope(draft(100_000), { id: UUID, time: new Date() })));
      const item = { runner: 0, count: 1, ballast: '' };
      const room = MAX_RUN_AND_ITEM - bytes({ run }) - bytes({ item });
      const [id = ''] = await lab.call(draft(room + off));
      return outcomeOf(lab, id);
    },
  }));
}

const openedAs = ({ id, type, time, correlationid, hops, data }: Envelope) =>
  ({ id, type, time, correlationId: correlationid, hops, data }) as never;

/** An event of somebody who does not use `publish`, as large as the bus allows and more than a run can hold. */
const foreignCase: Case = {
  limit: 'bytes of a run, its event sent by others',
  off: 60_000,
  expected: 'refused HR311',
  try: async (lab) => {
    const { pipeline } = lab;
    const draft = raceCalled.create({ race: 'r-foreign', laps: [1], ballast: '' });
    const envelope = toEnvelope(draft, { id: UUID, time: new Date() });
    const large = { ...envelope, data: { ...envelope.data, ballast: 'x'.repeat(LIMITS.stateBytes.value + 60_000) } };
    const entry = { EventBusName: pipeline.bus, Source: large.source, DetailType: large.type };
    await pipeline.clients.eventbridge.send(
      new PutEventsCommand({ Entries: [{ ...entry, Detail: JSON.stringify(large) }] }),
    );
    const { reason = '' } = (await lab.letter()) ?? {};
    const code = /HR\d{3}/.exec(reason)?.[0];
    return code ? `refused ${code}` : `wrong: ${reason || 'no letter'}`;
  },
};

/** Messages as large as SQS takes, which are no events: they have to fit the dead letter queue with their reason. */
function messageCases(): Case[] {
  return OFFS.map((off) => ({
    limit: 'bytes of a message that is parked',
    off,
    expected: off > 0 ? 'refused SQS' : 'passed',
    try: async (lab) => {
      const size = LIMITS.messageBytes.value + off;
      const send = new SendMessageCommand({
        QueueUrl: lab.pipeline.output(OUTPUT.queue('run-race')),
        MessageBody: 'x'.repeat(size),
      });
      const refused = await lab.pipeline.clients.sqs.send(send).then(
        () => false,
        () => true,
      );
      if (refused) return 'refused SQS';
      const letter = await lab.letter();
      return letter?.bytes === size ? 'passed' : `wrong: a letter of ${letter?.bytes} bytes`;
    },
  }));
}

/** Outboxes as large as the ledger takes, in the target's own DynamoDB, which has the limit of 400 KB too. */
function ledgerCases(): Case[] {
  const LARGEST = 350 * 1024;
  const time = new Date();
  const event = (ballast: string) =>
    toEnvelope(raceCalled.create({ race: 'r', laps: [1], ballast }), { id: UUID, time });
  return OFFS.map((off) => ({
    limit: 'bytes of an outbox',
    off,
    expected: off > 0 ? 'refused HR104' : 'passed',
    try: (lab) =>
      orRefused(async () => {
        const ledger = new Ledger(lab.pipeline.clients.dynamodb, lab.pipeline.output(OUTPUT.ledger));
        const acquired = await ledger.acquire('limits', `outbox/${off}`, { leaseMs: 60_000 });
        if (acquired.state !== 'acquired') return `wrong: ${acquired.state}`;
        const half = event('x'.repeat(150_000));
        const rest = LARGEST + off - bytes([half, event('')]);
        await ledger.commit(acquired.lease, [half, event('x'.repeat(rest))]);
        return 'passed';
      }),
  }));
}

/** Events published at once, around the ten entries of a request. */
function entryCases(): Case[] {
  return [-1, 0, 1, 11].map((off) => ({
    limit: 'events published at once',
    off,
    expected: 'passed',
    try: async (lab) => {
      const count = LIMITS.requestEntries.value + off;
      const runs = await lab.call(
        ...Array.from({ length: count }, (_, i) => raceCalled.create({ race: `r-${i}`, laps: [1] })),
      );
      const ends = await Promise.all(runs.map((run) => outcomeOf(lab, run)));
      const passed = ends.filter((end) => end === 'passed').length;
      return passed === count ? 'passed' : `wrong: ${passed} of ${count}`;
    },
  }));
}

/** Turns around the length of a chapter and of all chapters. */
function turnCases(pace: Pace): Case[] {
  const all = pace.turns * (pace.chapters + 1);
  const counts = [pace.turns, 2 * pace.turns, all].flatMap((count) => OFFS.map((off) => ({ count, off })));
  return counts.map(({ count, off }) => ({
    limit: `turns: ${count}`,
    off,
    expected: count + off > all ? 'refused HR312' : 'passed',
    try: async (lab) => {
      await shortenChapters(lab.pipeline, runRace as unknown as Workflow, pace);
      const [run = ''] = await lab.call(raceCalled.create({ race: 'r-turns', laps: [count + off] }));
      const end = await outcomeOf(lab, run);
      const { laps, again } = await lab.lapsOf(run);
      return laps === Math.min(count + off, all) && again === 0 ? end : `wrong: ${laps} laps, ${again} of them again`;
    },
  }));
}

/** One item with more turns than any history holds, at the pace that is deployed. */
async function longRun(lab: RaceLab, turns: number) {
  await shortenChapters(lab.pipeline, runRace as unknown as Workflow, paceOf(runLap));
  const [run = ''] = await lab.call(raceCalled.create({ race: 'r-long', laps: [turns] }));
  const { status, arn } = await lab.endOf(run, 540);
  const { laps, again } = await lab.lapsOf(run);
  const histories = await lab.histories(arn);
  const events = Math.max(...histories.map(({ length }) => length));
  return { status, laps, again, events };
}

async function run({ scale, log }: Omit<Run, 'lab' | 'seed'>) {
  const lab = new RaceLab();
  try {
    await lab.open(log);
    return await measure(lab, scale, log);
  } finally {
    await lab.close();
  }
}

async function tryAll(lab: RaceLab, log: (line: string) => void) {
  const cases = [
    ...eventCases(),
    ...itemCases(),
    foreignCase,
    ...messageCases(),
    ...ledgerCases(),
    ...entryCases(),
    ...turnCases({ turns: 5, chapters: 3 }),
  ];
  const wrong: string[] = [];
  let refused = 0;
  for (const { limit, off, expected, try: attempt } of cases) {
    const result = await attempt(lab);
    const told = `${limit} ${off >= 0 ? '+' : ''}${off}: ${result}`;
    if (result.startsWith('refused')) refused += 1;
    if (result !== expected) wrong.push(`${told}, not ${expected}`);
    log(`R11: ${told}`);
  }
  return { cases: cases.length, refused_clearly: refused, wrong };
}

async function measure(lab: RaceLab, scale: Scale, log: (line: string) => void) {
  const { wrong, ...tried } = await tryAll(lab, log);
  const turns = scaled(10_000, scale);
  const long = await longRun(lab, turns);
  log(`R11: ${turns} turns of one item: ${long.status}, longest history ${long.events} events`);
  const whole = long.status === 'SUCCEEDED' && long.laps === turns && long.again === 0;
  const measured = {
    ...tried,
    wrong: wrong.join('; ') || 0,
    turns,
    turns_taken: long.laps,
    turns_repeated: long.again,
    longest_history_events: long.events,
    // Step Functions writes more events than MiniStack: the worst it could come to there.
    worst_history_on_aws: itemEvents(runLap, paceOf(runLap)),
  };
  return { measured, pass: wrong.length === 0 && whole && long.events < LIMITS.historyEvents.value };
}

const experiment: Experiment = {
  id: 'R11',
  title: 'Every limit at -1, 0 and +1, and one item with 10,000 turns',
  target: '0 failed runs, clear refusals',
  run,
};

export default experiment;
