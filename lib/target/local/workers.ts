import { execFileSync } from 'node:child_process';
import { sep } from 'node:path';

/**
 * Kills the processes that run a Lambda function on the local target, as a machine failure would.
 *
 * @param folder - the target's folder
 * @param functionName - physical name
 * @returns how many were killed; 0 where the function isn't running or `ps` is missing
 */
export function killWorkers(folder: string, functionName: string): number {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid,args'], { encoding: 'utf8' });
  const mark = `${folder}${sep}tmp${sep}ministack-lambda-${functionName}-`;
  const pids = table
    .split('\n')
    .filter((line) => line.includes(mark))
    .map((line) => Number.parseInt(line, 10));
  return pids.filter(kill).length;
}

/** @returns false where the process has ended since it was listed */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
