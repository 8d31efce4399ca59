import { type Message, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { OUTPUT } from '../../../lib/module';
import { LETTER } from '../../../lib/runtime/dead-letter';
import { random } from '../../../vision/rng';
import { type Experiment, type Run, scaled } from '../experiment';
import { effectsBy } from '../lab/effects';
import type { Lab } from '../lab/lab';
import { setTaking, takeAll, untilEmpty } from '../lab/queues';
import { batchOf, EXPECTED, nameIn, type SentRecord } from '../poison/records';

async function send({ pipeline }: Lab, url: string, batches: readonly SentRecord[][]): Promise<void> {
  for (const batch of batches) {
    const Entries = batch.map(({ body }, i) => ({ Id: String(i), MessageBody: body }));
    await pipeline.clients.sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  }
}

/** Letters by the name of their record. */
function byName(letters: readonly Message[]): Map<string, Message[]> {
  const found = new Map<string, Message[]>();
  for (const letter of letters) {
    const name = nameIn(letter.Body ?? '');
    found.set(name, [...(found.get(name) ?? []), letter]);
  }
  return found;
}

/** Whether a record's letters tell why it was parked, and after how many attempts. */
function toldRightly({ kind }: SentRecord, letters: readonly Message[]): boolean {
  if (kind === 'good') return false;
  const { reason, attempts } = EXPECTED[kind];
  const tells = ({ MessageAttributes = {} }: Message) =>
    MessageAttributes[LETTER.reason]?.StringValue === reason &&
    Number(MessageAttributes[LETTER.attempts]?.StringValue) === attempts;
  return letters.length > 0 && letters.every(tells);
}

/** Batches of the whole experiment. At the ci scale fewer than its share: each death costs seconds of waiting. */
const BATCHES = 1_000;
const CI_BATCHES = 15;

async function run({ scale, seed, log, lab }: Run) {
  await lab.open(log);
  const { pipeline } = lab;
  const next = random(seed, 3);
  const batches = Array.from({ length: scale === 'ci' ? CI_BATCHES : scaled(BATCHES, scale) }, (_, i) =>
    batchOf(i, next),
  );
  const records = batches.flat();
  const poison = records.filter(({ kind }) => kind !== 'good');
  const good = records.filter(({ kind }) => kind === 'good');
  const queue = pipeline.output(OUTPUT.queue('judge-record'));
  const functionName = pipeline.output(OUTPUT.function('judge-record'));
  log(`R3: ${batches.length} batches with ${poison.length} poison records`);
  // Filled while nobody takes from it, so that each ten that was sent is also received as a batch.
  await setTaking(lab, functionName, false);
  await send(lab, queue, batches);
  await setTaking(lab, functionName, true);
  const settled = await untilEmpty(lab, [queue], { timeoutSeconds: 600 + 10 * batches.length, log });
  const letters = byName(await takeAll(lab, pipeline.output(OUTPUT.deadLetterQueue('judge-record'))));
  const effects = await effectsBy(lab, 'judge-record', 'r3-');
  const wrong = poison.filter((record) => !toldRightly(record, letters.get(record.name) ?? []));
  const parkedGood = good.filter(({ name }) => letters.has(name)).length;
  const notOnce = good.filter(({ name }) => effects.get(name)?.rows !== 1).length;
  for (const record of wrong.slice(0, 5)) log(`R3: ${describe(record, letters.get(record.name) ?? [])}`);
  const measured = {
    batches: batches.length,
    good: good.length,
    poison: poison.length,
    good_parked: parkedGood,
    good_not_once: notOnce,
    poison_not_parked: poison.filter(({ name }) => !letters.has(name)).length,
    poison_told_wrongly: wrong.length,
    // Parking and taking off the queue are two calls: a worker that dies in between parks once more.
    poison_parked_twice: poison.filter(({ name }) => (letters.get(name)?.length ?? 0) > 1).length,
    ...(settled === undefined && { unsettled: 'messages were left in the queue' }),
  };
  return { measured, pass: settled !== undefined && parkedGood + notOnce + wrong.length === 0 };
}

function describe({ name, kind }: SentRecord, letters: readonly Message[]): string {
  const told = letters.map(({ MessageAttributes = {} }) =>
    [LETTER.reason, LETTER.attempts].map((key) => MessageAttributes[key]?.StringValue ?? 'not told').join(' after '),
  );
  return `${name} (${kind}) has ${letters.length} letters: ${told.join('; ')}`;
}

const experiment: Experiment = {
  id: 'R3',
  title: 'Batches of ten with one to nine poison records of six kinds',
  target: '1,000 batches: no good record parked and each handled once; all poison parked, with reason and attempts',
  run,
};

export default experiment;
