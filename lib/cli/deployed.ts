import { discover } from '../module/project';
import type { Output } from './output';
import type { Pipeline } from './pipeline';

/** What the project declares, by whether the stack has an output for it. */
export interface Declared {
  readonly deployed: readonly string[];
  /** Declared after the last deployment. */
  readonly missing: readonly string[];
}

/** Splits names by whether the deployed stack has the output `keyOf` names. */
export function splitByOutput(
  names: readonly string[],
  keyOf: (name: string) => string,
  { outputs }: Pick<Pipeline, 'outputs'>,
): Declared {
  const isDeployed = (name: string) => outputs[keyOf(name)] !== undefined;
  return { deployed: names.filter(isDeployed), missing: names.filter((name) => !isDeployed(name)) };
}

/** Names of everything that listens: modules and workflows. */
export function listenersOf(project: string): string[] {
  const { modules, workflows } = discover(project);
  return [...modules, ...workflows].map(({ declared: { name } }) => name);
}

/** Says which were skipped, if any. */
export function noteMissing({ missing }: Pick<Declared, 'missing'>, out: Output): void {
  if (missing.length > 0) out.note(out.style.dim(`not deployed yet: ${missing.join(', ')} (npx headrace deploy)`));
}
