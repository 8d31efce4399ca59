import { type Cycle, cyclesOf } from './cycles';
import { type GraphModule, nodesOf } from './nodes';
import type { Project } from './project';

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
  /** The circles in which modules feed each other. */
  readonly cycles: readonly Cycle[];
}

/** The graph of a project: modules and workflows by name, events by type and version. */
export function graphOf(project: Project): Graph {
  const nodes = nodesOf(project);
  const modules = nodes.map(({ writes: _, watches: __, ...module }) => module);
  const events = project.contracts.map(({ type, version, summary }) => ({
    type,
    version,
    summary,
    producers: modules.filter(({ emits }) => emits.includes(type)).map(({ name }) => name),
    consumers: modules.filter(({ on }) => on.includes(type)).map(({ name }) => name),
  }));
  return { modules, events, cycles: cyclesOf(nodes) };
}
