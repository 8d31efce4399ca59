import type { Graph, GraphModule } from '../../module';

export interface FlowNode {
  readonly id: string;
  /** `event`: one that comes from outside, or that nobody listens to. */
  readonly kind: GraphModule['kind'] | 'event';
  readonly steps: readonly string[];
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  /** Event types that go this way; empty where an end of the arrow is the event itself. */
  readonly types: readonly string[];
}

/** The graph as boxes and arrows: events are arrows, except where one has no producer or no consumer. */
export interface Flow {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export function flowOf({ modules }: Graph): Flow {
  const emitted = new Set(modules.flatMap(({ emits }) => emits));
  const received = new Set(modules.flatMap(({ on }) => on));
  const entries = [...received].filter((type) => !emitted.has(type));
  const ends = [...emitted].filter((type) => !received.has(type));
  const between = modules.flatMap((from) =>
    modules.flatMap((to) => {
      const types = from.emits.filter((type) => to.on.includes(type));
      return types.length > 0 ? [{ from: from.name, to: to.name, types }] : [];
    }),
  );
  const outer = (type: string): FlowNode => ({ id: type, kind: 'event', steps: [] });
  return {
    nodes: [
      ...entries.map(outer),
      ...modules.map(({ name, kind, steps }) => ({ id: name, kind, steps: steps.map((step) => step.name) })),
      ...ends.map(outer),
    ],
    edges: [
      ...entries.flatMap((type) =>
        modules.filter(({ on }) => on.includes(type)).map(({ name }) => ({ from: type, to: name, types: [] })),
      ),
      ...between,
      ...ends.flatMap((type) =>
        modules.filter(({ emits }) => emits.includes(type)).map(({ name }) => ({ from: name, to: type, types: [] })),
      ),
    ],
  };
}
