/** Arrows between things, by name. */
export type Arrows = ReadonlyMap<string, readonly string[]>;

/**
 * The elementary circuits of a directed graph: closed walks that pass nothing twice, each once, beginning with its
 * least name. By Donald B. Johnson, "Finding all the elementary circuits of a directed graph" (SIAM J. Comput., 1975).
 *
 * @param most - ends the search after so many: a graph can have more than anybody could count
 */
export function circuitsOf(arrows: Arrows, most: number): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const start of [...arrows.keys()].sort()) {
    const later = within(arrows, (name) => name >= start);
    const together = reachable(later, start).filter((name) => reachable(later, name).includes(start));
    const part = within(later, (name) => together.includes(name));
    if (found.length < most) search({ part, start, found, most });
  }
  return found;
}

const within = (arrows: Arrows, keep: (name: string) => boolean): Arrows =>
  new Map([...arrows].filter(([name]) => keep(name)).map(([name, next]) => [name, next.filter(keep)]));

/** What can be reached by one arrow or more. */
function reachable(arrows: Arrows, from: string): readonly string[] {
  const seen = new Set<string>();
  const left = [from];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const fresh = (arrows.get(name) ?? []).filter((next) => !seen.has(next));
    for (const next of fresh) seen.add(next);
    left.push(...fresh);
  }
  return [...seen];
}

interface Search {
  /** Only what lies on circuits with `start`. */
  readonly part: Arrows;
  readonly start: string;
  readonly found: string[][];
  readonly most: number;
}

/** Walks from `start` back to it in every way. */
function search({ part, start, found, most }: Search): void {
  const path: string[] = [];
  const blocked = new Set<string>();
  /** What is to be unblocked together with a name: it led nowhere only because that was on the path. */
  const waiting = new Map<string, Set<string>>();
  const unblock = (name: string) => {
    if (!blocked.delete(name)) return;
    const others = waiting.get(name) ?? [];
    waiting.delete(name);
    for (const other of others) unblock(other);
  };
  const waitFor = (nexts: readonly string[], name: string) => {
    for (const next of nexts) waiting.set(next, (waiting.get(next) ?? new Set()).add(name));
  };
  const follow = (next: string) => {
    if (next !== start) return !blocked.has(next) && walk(next);
    found.push([...path]);
    return true;
  };
  const walk = (name: string): boolean => {
    path.push(name);
    blocked.add(name);
    const nexts = part.get(name) ?? [];
    const closed = nexts.filter((next) => found.length < most && follow(next)).length > 0;
    if (closed) unblock(name);
    else waitFor(nexts, name);
    path.pop();
    return closed;
  };
  walk(start);
}
