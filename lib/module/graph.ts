import type { Project } from './project';
import { typesOf } from './rules';
import { runFailed } from './run-failed';
import { stepsOf } from './workflow';

export interface GraphModule {
  readonly name: string;
  readonly kind: 'module' | 'workflow';
  readonly summary: string;
  /** Types received, families resolved. */
  readonly on: readonly string[];
  readonly emits: readonly string[];
  /** The steps of a workflow, in order, with what each emits; empty for a module. */
  readonly steps: readonly { readonly name: string; readonly emits: readonly string[] }[];
}

export interface GraphEvent {
  readonly type: string;
  readonly version: number;
  readonly summary: string;
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
}

/** Who says what to whom, computed from the declarations. */
export interface Graph {
  readonly modules: readonly GraphModule[];
  readonly events: readonly GraphEvent[];
}

/** The graph of a project: modules and workflows by name, events by type and version. */
export function graphOf({ modules, workflows, contracts }: Project): Graph {
  const unique = (types: readonly string[]) => [...new Set(types)];
  const nodes: GraphModule[] = [
    ...modules.map(({ declared }) => ({
      name: declared.name,
      kind: declared.kind,
      summary: declared.summary,
      on: unique(declared.on.flatMap((entry) => typesOf(entry, contracts))),
      emits: unique(declared.emits.map(({ type }) => type)),
      steps: [],
    })),
    ...workflows.map(({ declared }) => {
      const steps = stepsOf(declared).map((step) => ({ name: step.name, emits: step.emits.map(({ type }) => type) }));
      return {
        name: declared.name,
        kind: declared.kind,
        summary: declared.summary,
        on: unique(declared.on.flatMap((entry) => typesOf(entry, contracts))),
        emits: unique([...steps.flatMap(({ emits }) => emits), runFailed.type]),
        steps,
      };
    }),
  ].sort((a, b) => a.name.localeCompare(b.name));
  const events = contracts.map(({ type, version, summary }) => ({
    type,
    version,
    summary,
    producers: nodes.filter(({ emits }) => emits.includes(type)).map(({ name }) => name),
    consumers: nodes.filter(({ on }) => on.includes(type)).map(({ name }) => name),
  }));
  return { modules: nodes, events };
}
