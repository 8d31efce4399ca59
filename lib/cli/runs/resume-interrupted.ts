import { LocalTarget, type Target } from '../../target';
import { pipelineOn } from '../pipeline';
import { type ResumedRun, resumeAll } from './resume-all';
import { listRuns } from './run-list';

export interface Restarted {
  readonly target: Target;
  readonly project: string;
  readonly stack: string;
}

/**
 * Goes on with the runs that a stop of the local target cut off, once it has come back with its state: they need no
 * person. Where there is nothing to come back to, nothing is done.
 */
export async function resumeInterrupted({ target, project, stack }: Restarted): Promise<readonly ResumedRun[]> {
  if (!(target instanceof LocalTarget && target.restored)) return [];
  const pipeline = await pipelineOn(target, stack).catch((error: unknown) => {
    // The stop came before the first deployment had ended.
    if ((error as { code?: string }).code === 'HR502') return undefined;
    throw error;
  });
  if (!pipeline) return [];
  try {
    const all = await listRuns(pipeline, project, Number.POSITIVE_INFINITY);
    return await resumeAll(pipeline.clients.sfn, all, { dryRun: false, interruptedOnly: true });
  } finally {
    pipeline.clients.close();
  }
}
