import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, HeadraceError, toEnvelope } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { park } from '../../../lib/runtime/dead-letter';
import { type Random, random } from '../../../vision/rng';
import { type Experiment, type Outcome, type Run, scaled } from '../experiment';
import { effectsBy, tally } from '../lab/effects';
import type { Lab } from '../lab/lab';
import { messagesIn, untilEmpty } from '../lab/queues';
import { recordSent } from '../project/events/record-sent.v1';
import judgeRecord from '../project/lambdas/judge-record/module';

const ROOT = join(__dirname, '..', '..', '..');
const PROJECT = join(__dirname, '..', 'project');
const MODULE = judgeRecord.name;

/** Rounds in which an operator is killed in the middle: each waits a minute for what was in his hands. */
const KILLS = { ci: 1, small: 2, full: 3 } as const;

/** One who types `dlq redrive`. */
interface Operator {
  readonly process: ChildProcess;
  /** The number it last told to have moved. */
  readonly moved: () => number;
  /** Settles at the first letter it moves, or when it ends. */
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
}

function operator(lab: Lab, ...options: string[]): Operator {
  const words = ['dlq', 'redrive', MODULE, '--yes', ...options];
  const where = ['--target', lab.target.endpoint, '--project', PROJECT, '--stack', 'headrace-faults'];
  const child = spawn(process.execPath, [join(ROOT, 'bin/headrace.mjs'), ...words, ...where], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let moved = 0;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  child.stderr?.on('data', (part: Buffer) => {
    for (const [, count] of part.toString().matchAll(/: (\d+) moved/g)) moved = Number(count);
    if (moved > 0) begin();
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(begin);
  return { process: child, moved: () => moved, begun, ended };
}

/** Letters as the runtime parks them, of events that can be handled now. */
async function parkAll(lab: Lab, events: readonly Envelope[]): Promise<void> {
  const { clients, output } = lab.pipeline;
  const error = new HeadraceError('HR306', { what: 'The object was not there yet.', next: 'Try again.' });
  const left = [...events];
  const lane = async () => {
    for (let event = left.shift(); event; event = left.shift()) {
      const bus = { id: event.id, source: event.source, 'detail-type': event.type, time: event.time, detail: event };
      await park(clients.sqs, {
        queueUrl: output(OUTPUT.deadLetterQueue(MODULE)),
        body: JSON.stringify(bus),
        module: MODULE,
        error,
        reason: 'attempts',
        attempts: judgeRecord.retry.attempts,
        firstReceived: Date.now(),
        codeVersion: 'before',
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Waits until what a killed operator held is seen again. */
async function untilSeen(lab: Lab): Promise<void> {
  const { clients, output } = lab.pipeline;
  const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
  for (let i = 0; i < 400; i++) {
    const { Attributes = {} } = await clients.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: output(OUTPUT.deadLetterQueue(MODULE)), AttributeNames: ['All'] }),
    );
    if (Attributes.ApproximateNumberOfMessagesNotVisible === '0') return;
    await sleep(250);
  }
}

interface Round {
  readonly letters: number;
  readonly next: Random;
}

/** Three at once, of whom the first is killed in the middle of its move. @returns what each told to have moved */
async function round(lab: Lab, { letters, next }: Round): Promise<number> {
  // At this rate it has about a third of the letters in hand, in 20 seconds' worth.
  const first = operator(lab, '--rate', String(Math.max(1, Math.round(letters / 60))));
  await first.begun;
  const others = [operator(lab), operator(lab)];
  await sleep(next() * 2000);
  first.process.kill('SIGKILL');
  await Promise.all([first, ...others].map(({ ended }) => ended));
  return [first, ...others].reduce((sum, each) => sum + each.moved(), 0);
}

/** Dead letters sent back by several operators at once, one of whom is killed again and again. */
export async function redriveLetters({ scale, seed, log, lab }: Run): Promise<Outcome> {
  await lab.open(log);
  const { output } = lab.pipeline;
  const names = Array.from({ length: Math.max(60, scaled(1000, scale)) }, (_, i) => `r5-letter-${i}`);
  const time = new Date();
  await parkAll(
    lab,
    names.map((record) => toEnvelope(recordSent.create({ record, conduct: 'good' }), { id: record, time })),
  );
  const next = random(seed, 5);
  const deadLetters = output(OUTPUT.deadLetterQueue(MODULE));
  let moved = 0;
  let kills = 0;
  for (; kills < KILLS[scale]; kills++) {
    const letters = await messagesIn(lab, deadLetters);
    if (letters < 3) break;
    log(`R5: ${letters} letters, three operators, one of them killed`);
    moved += await round(lab, { letters, next });
    await untilSeen(lab);
  }
  const last = operator(lab);
  await last.ended;
  moved += last.moved();
  const queues = [deadLetters, output(OUTPUT.queue(MODULE))];
  const emptyAt = await untilEmpty(lab, queues, { timeoutSeconds: 60 + names.length / 10, log });
  const { lost, doubled, repeatedCalls } = tally(names, await effectsBy(lab, MODULE, 'r5-letter-'));
  const measured = {
    letters: names.length,
    operators: 3 * kills + 1,
    killed: kills,
    // A killed one may have moved up to a batch more than it had told.
    told_as_moved: moved,
    left: await messagesIn(lab, deadLetters),
    lost,
    doubled,
    repeated_calls: repeatedCalls,
    ...(emptyAt === undefined && { unsettled: 'messages were left in the queues' }),
  };
  return { measured, pass: emptyAt !== undefined && kills > 0 && lost + doubled + repeatedCalls === 0 };
}

const experiment: Experiment = {
  id: 'R5',
  title: 'Dead letters sent back by several operators at once, one killed in the middle',
  target: '1,000 dead letters, each handled once, none lost',
  run: redriveLetters,
};

export default experiment;
