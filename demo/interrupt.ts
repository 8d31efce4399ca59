import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { Stage } from 'headrace/cli';
import { OUTPUT } from 'headrace/module';
import { LocalTarget } from 'headrace/target';

/** What is needed to reach into a deployed pipeline. */
export type Reach = Pick<Stage, 'target' | 'outputs' | 'clients'>;

/** Checkpoints of a run by key, with the time each was written. */
type Checkpoints = ReadonlyMap<string, number>;

export interface Interruption {
  /** Worker processes that were killed. */
  readonly killed: number;
  /** What had been trained by then. */
  readonly saved: Checkpoints;
}

/** Milliseconds we look for a first checkpoint before giving up. */
const PATIENCE_MS = 60_000;

/** Kills the trainer when the run has its first checkpoint. On a target where that's not ours to do: undefined. */
export async function interruptTraining(stage: Reach, run: string): Promise<Interruption | undefined> {
  const { target, outputs } = stage;
  const trainer = outputs[OUTPUT.function('train-model')];
  if (!(target instanceof LocalTarget) || !trainer) return undefined;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(30)) {
    const saved = await checkpoints(stage, run);
    if (saved.size > 0) return { killed: target.killWorkers(trainer), saved };
  }
  return undefined;
}

/** Whether the run went on from the checkpoints it had: later ones came, and none of the earlier was written again. */
export async function resumed(stage: Reach, run: string, interruption: Interruption | undefined): Promise<boolean> {
  if (!interruption || interruption.killed === 0) return false;
  const now = await checkpoints(stage, run);
  const kept = [...interruption.saved].every(([key, time]) => now.get(key) === time);
  return kept && now.size > interruption.saved.size;
}

async function checkpoints({ clients, outputs }: Reach, run: string): Promise<Checkpoints> {
  const { Contents = [] } = await clients.s3.send(
    new ListObjectsV2Command({ Bucket: outputs[OUTPUT.store('runs')], Prefix: `runs/${run}/trials/` }),
  );
  const found = Contents.filter(({ Key }) => Key?.includes('/checkpoint-'));
  return new Map(found.map(({ Key = '', LastModified }) => [Key, LastModified?.getTime() ?? 0]));
}
