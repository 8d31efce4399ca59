import { HeadraceError } from '../../contract/errors';
import type { Target } from '../../target';
import { counted } from '../counted';
import { duration } from '../describe-event';
import type { Confirm } from '../host';
import type { Output } from '../output';
import type { Deployment } from './deploy';

export interface Approval {
  readonly target: Pick<Target, 'name'>;
  readonly yes: boolean;
  readonly interactive: boolean;
  readonly out: Output;
  readonly confirm: Confirm;
}

/** How a deployment is approved: on AWS by showing the differences and asking, elsewhere not at all. */
export function approveBy({
  target,
  yes,
  interactive,
  out,
  confirm,
}: Approval): ((diff: string) => Promise<boolean>) | undefined {
  if (target.name !== 'aws') return undefined;
  return async (diff) => {
    out.note(diff);
    refuseWithoutAnswer(interactive && !out.json, yes);
    if (yes) return true;
    return confirm('Deploy these changes to AWS?');
  };
}

/** @throws HeadraceError HR501 when nobody can be asked */
function refuseWithoutAnswer(interactive: boolean, yes: boolean): void {
  if (yes || interactive) return;
  throw new HeadraceError('HR501', {
    what: 'These changes would be deployed to AWS, and nobody is here to be asked. Nothing was changed.',
    next: 'Add --yes to deploy them.',
  });
}

export function reportDeployment(done: Deployment, out: Output, verbose: boolean): string[] {
  const { style } = out;
  if (!done.deployed) return ['Nothing was changed.'];
  const total = done.bundles.reduce((sum, { bytes }) => sum + bytes, 0);
  const size =
    done.bundles.length > 0 ? `, ${counted(done.bundles.length, 'function')} of ${kilobytes(total)} in all` : '';
  const summary = `${style.green('deployed')} ${style.bold(done.stack)} to ${done.target} in ${duration(done.seconds * 1000)}${style.dim(size)}`;
  if (!verbose) return [summary];
  const rows = done.bundles.map(({ name, bytes }) => [name, kilobytes(bytes)]);
  const { synth, bootstrap, deploy } = done.parts;
  return [
    summary,
    style.dim(
      `synthesis ${synth.toFixed(1)} s, bootstrap ${bootstrap.toFixed(1)} s, deployment ${deploy.toFixed(1)} s`,
    ),
    '',
    ...out.table(['function', 'bundle'], rows),
  ];
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
