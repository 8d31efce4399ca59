import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { deploy } from '../../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../../lib/cli/pipeline';
import { type AnyEvent, toEnvelope } from '../../../lib/contract';
import { DEFAULT_MAX_HOPS, OUTPUT } from '../../../lib/module';
import { LETTER, putEvents } from '../../../lib/runtime';
import { LocalTarget } from '../../../lib/target';
import type { Experiment, Outcome, Run, Scale } from '../experiment';
import { batonPassed } from '../loops/events/baton-passed.v1';
import { wordNoted } from '../loops/events/word-noted.v1';
import { wordSaid } from '../loops/events/word-said.v1';

const ROOT = join(__dirname, '..', '..', '..');
const PROJECT = join(__dirname, '..', 'loops');
const STACK = 'headrace-loops';

/** Chains of each kind. */
const CHAINS: Readonly<Record<Scale, number>> = { ci: 10, small: 20, full: 100 };

/** Events of a chain that are handled: the first, and those after so many hops. */
const HANDLED = DEFAULT_MAX_HOPS + 1;

/** Modules that feed themselves: through the bus, a table with its stream, and a store. */
const LOOPS = { bus: 'say-word', table: 'note-word', store: 'copy-letter' } as const;

/** One whose chains are as long as is allowed. */
const LEGAL = 'pass-baton';

const MODULES = [...Object.values(LOOPS), LEGAL];

/** What the ledger and the dead letters say of one module. */
interface Seen {
  readonly handled: number;
  readonly letters: readonly Parked[];
}

interface Parked {
  readonly code: string;
  /** Id of the event that began the chain, and the members told of it. */
  readonly began: string;
  readonly trail: readonly string[];
}

async function begin(pipeline: Pipeline, chains: readonly string[]): Promise<void> {
  const { clients, bus } = pipeline;
  const time = new Date();
  const first = (contract: AnyEvent, name: string) =>
    chains.map((chain) => toEnvelope(contract.create({ chain }), { id: `${chain}-${name}`, time }));
  const firsts = [
    ...first(wordSaid as unknown as AnyEvent, 'bus'),
    ...first(wordNoted as unknown as AnyEvent, 'table'),
    ...first(batonPassed as unknown as AnyEvent, 'legal'),
  ];
  await putEvents(firsts, { client: clients.eventbridge, bus });
  const Bucket = pipeline.output(OUTPUT.store('letters'));
  for (const chain of chains) {
    await clients.s3.send(new PutObjectCommand({ Bucket, Key: `${chain}/0`, Body: 'a letter' }));
  }
}

/** Events that each module has handled, by the ledger. */
async function handledBy({ clients: { dynamodb: client }, output }: Pipeline): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName: output(OUTPUT.ledger) })) {
    for (const { pk, status } of Items) {
      const name = pk?.S?.split('#')[0] ?? '';
      if (status?.S === 'done') counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

/** Takes the letters that are there now. */
async function lettersOf({ clients: { sqs }, output }: Pipeline, module: string): Promise<Parked[]> {
  const QueueUrl = output(OUTPUT.deadLetterQueue(module));
  const all: Parked[] = [];
  for (;;) {
    const request = { QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(request));
    if (Messages.length === 0) return all;
    for (const { MessageAttributes } of Messages) {
      const { code, message } = JSON.parse(MessageAttributes?.[LETTER.error]?.StringValue ?? '{}');
      const [, began = '', trail = ''] = /began with (\S+): (.*?)\. Allowed/.exec(message ?? '') ?? [];
      all.push({ code, began, trail: trail.split(' ') });
    }
    const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle: ReceiptHandle ?? '' }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/** Looks until every chain has ended, and then until nothing has moved for three seconds. */
async function settled(pipeline: Pipeline, chains: number, log: Run['log']): Promise<Map<string, Seen>> {
  const letters = new Map<string, Parked[]>(MODULES.map((name) => [name, []]));
  const deadline = Date.now() + 120_000 + chains * 6_000;
  let before = '';
  let since = Date.now();
  for (;;) {
    for (const name of MODULES) letters.get(name)?.push(...(await lettersOf(pipeline, name)));
    const handled = await handledBy(pipeline);
    const now = MODULES.map((name) => `${name} ${handled.get(name) ?? 0}+${letters.get(name)?.length}`).join(', ');
    if (now !== before) {
      log(`R6: handled+parked: ${now}`);
      since = Date.now();
    }
    before = now;
    const ended = [...letters.values()].flat().length >= chains * Object.keys(LOOPS).length;
    if ((ended && Date.now() - since > 3_000) || Date.now() > deadline) {
      return new Map(
        MODULES.map((name) => [name, { handled: handled.get(name) ?? 0, letters: letters.get(name) ?? [] }]),
      );
    }
    await sleep(1_000);
  }
}

/** Of how many chains there is one letter for the first event beyond the limit, with the trail that led to it. */
function stoppedBy({ letters }: Seen): number {
  const whole = letters.filter(({ code, trail }) => code === 'HR309' && trail.length === HANDLED);
  return new Set(whole.map(({ began }) => began)).size;
}

async function measure(pipeline: Pipeline, chains: number, log: Run['log']): Promise<Outcome> {
  const names = Array.from({ length: chains }, (_, i) => `chain-${i}`);
  await begin(pipeline, names);
  const seen = await settled(pipeline, chains, log);
  const of = (name: string): Seen => seen.get(name) ?? { handled: 0, letters: [] };
  const loops = Object.entries(LOOPS).map(([kind, name]) => {
    const found = of(name);
    const told = { stopped: stoppedBy(found), handled: found.handled, letters: found.letters.length };
    return [kind, told] as const;
  });
  const legal = of(LEGAL);
  const stopped = loops.every(
    ([, each]) => each.stopped === chains && each.letters === chains && each.handled === chains * HANDLED,
  );
  const passed = legal.handled === chains * HANDLED && legal.letters.length === 0;
  const [letter] = of(LOOPS.table).letters;
  return {
    measured: {
      chains_of_each_kind: chains,
      events_of_a_chain_handled: HANDLED,
      ...Object.fromEntries(loops),
      legal: { hops: DEFAULT_MAX_HOPS, handled: legal.handled, letters: legal.letters.length },
      a_trail: letter?.trail.join(' ') ?? 'none',
    },
    pass: stopped && passed,
  };
}

async function run({ scale, log }: Pick<Run, 'scale' | 'seed' | 'log'>): Promise<Outcome> {
  const target = new LocalTarget({ root: ROOT, instance: `r6-${process.pid}` });
  try {
    await target.start({ onProgress: log });
    await deploy({ project: PROJECT, target, stack: STACK, onProgress: log });
    const pipeline = await pipelineOn(target, STACK);
    try {
      return await measure(pipeline, CHAINS[scale], log);
    } finally {
      pipeline.clients.close();
    }
  } finally {
    await target.stop();
    await rm(target.folder, { recursive: true, force: true });
  }
}

const experiment: Experiment = {
  id: 'R6',
  title: 'Modules that feed themselves through the bus, a table with its stream, and a store',
  target: 'every loop stopped within 16 events, 100 of 100 chains of each kind, trail in the letter; 15 hops pass',
  run,
};

export default experiment;
