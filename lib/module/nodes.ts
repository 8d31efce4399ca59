import type { Project } from './project';
import { typesOf } from './rules';
import { runFailed } from './run-failed';
import { RUNS_STORE, type Step } from './step';
import type { On } from './subscribe';
import { stepsOf } from './workflow';

/** A module or workflow, by what it hears and says. */
export interface GraphModule {
  readonly name: string;
  readonly kind: 'module' | 'workflow';
  readonly summary: string;
  /** Types received, families resolved. */
  readonly on: readonly string[];
  readonly emits: readonly string[];
  /** The steps of a workflow, in order, with what each emits; empty for a module. */
  readonly steps: readonly { readonly name: string; readonly emits: readonly string[] }[];
  /** Why it may stand in a circle. */
  readonly cycle?: string;
}

/** The same with the stores by which it may feed others. */
export interface Node extends GraphModule {
  /** Stores it may write. */
  readonly writes: readonly string[];
  /** Stores of which it hears every new object: those it listens to without a filter. */
  readonly watches: readonly string[];
}

/** Modules and workflows by name; a workflow says and writes what its steps do. */
export function nodesOf({ modules, workflows, contracts }: Omit<Project, 'root' | 'steps'>): readonly Node[] {
  const heard = (on: readonly On[]) => ({
    on: unique(on.flatMap((entry) => typesOf(entry, contracts))),
    watches: unique(on.flatMap(watchedBy)),
  });
  const nodes: Node[] = [
    ...modules.map(({ declared: { kind, name, summary, cycle, ...declared } }) => ({
      name,
      kind,
      summary,
      ...heard(declared.on),
      emits: unique(declared.emits.map(({ type }) => type)),
      writes: writtenBy(declared),
      steps: [],
      ...(cycle !== undefined && { cycle }),
    })),
    ...workflows.map(({ declared }) => {
      const { kind, name, summary, cycle } = declared;
      const steps = stepsOf(declared);
      return {
        name,
        kind,
        summary,
        ...heard(declared.on),
        emits: unique([...steps.flatMap(({ emits }) => emits.map(({ type }) => type)), runFailed.type]),
        writes: unique([...steps.flatMap(writtenBy), RUNS_STORE]),
        steps: steps.map((step) => ({ name: step.name, emits: step.emits.map(({ type }) => type) })),
        ...(cycle !== undefined && { cycle }),
      };
    }),
  ];
  return nodes.sort((a, b) => a.name.localeCompare(b.name));
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

const writtenBy = ({ stores }: Pick<Step, 'stores'>): readonly string[] =>
  Object.keys(stores).filter((name) => stores[name] === 'write');

function watchedBy({ listenable, where = {} }: On): readonly string[] {
  const { kind } = listenable;
  return kind === 'aws-event' && listenable.store && Object.keys(where).length === 0 ? [listenable.store] : [];
}
