import { HeadraceError } from '../contract';
import { type Arrows, circuitsOf } from './circuits';
import { type Node, nodesOf } from './nodes';
import type { Project } from './project';

/** A circle of modules and workflows that feed each other. */
export interface Cycle {
  /** By name, in the order in which they feed each other; the last feeds the first. */
  readonly members: readonly string[];
  /** For each member what it says, or writes, to the next: event types, and `objects in <store>`. */
  readonly events: readonly (readonly string[])[];
  /** What brings it to an end, by the members that say so; empty when none does. */
  readonly reasons: readonly { readonly name: string; readonly reason: string }[];
}

/** Most circles that are named. */
export const MAX_CYCLES = 100;

/**
 * The elementary circles: those that pass nobody twice, the first {@link MAX_CYCLES}. A filter on the data of an event
 * does not break one, since it depends on the data; a filter on the objects of a store does, since in and out are often
 * folders of one store.
 */
export function cyclesOf(modules: readonly Node[]): readonly Cycle[] {
  return circuitsOf(arrowsOf(modules), MAX_CYCLES).map((members) => {
    const nodes = members.map((name) => modules.find((module) => module.name === name) as Node);
    return {
      members,
      events: nodes.map((node, i) => between(node, nodes[(i + 1) % nodes.length] as Node)),
      reasons: nodes.flatMap(({ name, cycle }) => (cycle === undefined ? [] : [{ name, reason: cycle }])),
    };
  });
}

const arrowsOf = (modules: readonly Node[]): Arrows =>
  new Map(
    modules.map((from) => [from.name, modules.filter((to) => between(from, to).length > 0).map(({ name }) => name)]),
  );

/** By what one feeds the other. */
const between = ({ emits, writes }: Node, { on, watches }: Node): readonly string[] => [
  ...emits.filter((type) => on.includes(type)),
  ...writes.filter((store) => watches.includes(store)).map((store) => `objects in ${store}`),
];

/** A circle in one line: `ask-question -> question.asked -> answer-question -> answer.given -> ask-question`. */
export function cyclePath({ members, events }: Pick<Cycle, 'members' | 'events'>): string {
  const steps = members.map((name, i) => `${name} -> ${events[i]?.join(' or ')}`);
  return [...steps, members[0]].join(' -> ');
}

/** Refuses circles of which no member says what brings them to an end. @throws HeadraceError HR206 with their paths */
export function refuseCycles(project: Project): void {
  const silent = cyclesOf(nodesOf(project).filter(({ cycle }) => cycle === undefined));
  if (silent.length === 0) return;
  throw new HeadraceError('HR206', {
    what: `Modules feed each other in a circle, so that one event could go round for ever: ${silent.map(cyclePath).join('; ')}.`,
    next: 'Break the circle, or give one of its modules a `cycle` that says what brings it to an end.',
  });
}
