import { explore, type Pipeline } from '../../../lib/testkit';
import { scenario } from './scenario';

/** What a process of trials is asked for. */
export interface TrialsRequest {
  /** First seed, and how many. */
  readonly from: number;
  readonly count: number;
  /** Tell the shortest story of the first failure; otherwise only its seed. */
  readonly shrink?: boolean;
  /** Run this seed so many times instead, and compare the stories. */
  readonly repeat?: { readonly seed: number; readonly times: number };
}

export interface TrialsAnswer {
  readonly seeds: number;
  readonly faults: number;
  /** Seed and message of the first failure. */
  readonly failure?: { readonly seed: number; readonly message: string };
  /** Stories that were the same as the first one, itself included. */
  readonly same?: number;
}

/** Seeds between two reports to the parent. */
const REPORT = 500;

async function explored({ from, count }: TrialsRequest): Promise<TrialsAnswer> {
  let faults = 0;
  let seed = from;
  try {
    for (; seed < from + count; seed++) {
      const pipeline = await scenario({ seed, faults: 'all' });
      faults += pipeline.faults.length;
      if ((seed - from + 1) % REPORT === 0) process.stderr.write(`${REPORT}\n`);
    }
    return { seeds: count, faults };
  } catch (error) {
    return { seeds: seed - from + 1, faults, failure: { seed, message: (error as Error).message } };
  }
}

async function told(answer: TrialsAnswer): Promise<TrialsAnswer> {
  if (!answer.failure) return answer;
  const { seed } = answer.failure;
  const message = await explore([seed], async (trial) => void (await scenario(trial))).then(
    () => 'it did not fail again',
    (error: Error) => error.message,
  );
  return { ...answer, failure: { seed, message } };
}

async function repeated({ seed, times }: NonNullable<TrialsRequest['repeat']>): Promise<TrialsAnswer> {
  const stories: string[] = [];
  let faults = 0;
  for (let i = 0; i < times; i++) {
    let made: Pipeline | undefined;
    const message = await scenario({ seed, faults: 'all', made: (pipeline) => (made = pipeline) }).then(
      () => 'all is well',
      (error: Error) => error.message,
    );
    stories.push(`${message}\n${made?.story()}`);
    faults += made?.faults.length ?? 0;
  }
  return { seeds: times, faults, same: stories.filter((story) => story === stories[0]).length };
}

async function main(): Promise<void> {
  // What is thrown on purpose needs no stack.
  Error.stackTraceLimit = 0;
  const request = JSON.parse(process.argv[2] ?? '{}') as TrialsRequest;
  const answer = request.repeat ? await repeated(request.repeat) : await explored(request);
  process.stdout.write(JSON.stringify(request.shrink ? await told(answer) : answer));
}

void main();
