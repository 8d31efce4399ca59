import fc from 'fast-check';
import { circuitsOf } from '../../lib/module/circuits';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Every closed walk that passes nothing twice, found by trying all of them. */
function allCircuits(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const walks = (path: readonly string[]): string[] => {
    const nexts = arrows.get(path.at(-1) as string) ?? [];
    const closed = nexts.includes(path[0] as string) ? [path.join('')] : [];
    const on = nexts.filter((next) => next > (path[0] as string) && !path.includes(next));
    return [...closed, ...on.flatMap((next) => walks([...path, next]))];
  };
  return [...arrows.keys()].flatMap((name) => walks([name]));
}

const graphs = fc
  .array(fc.subarray(NAMES), { minLength: NAMES.length, maxLength: NAMES.length })
  .map((nexts) => new Map(NAMES.map((name, i) => [name, nexts[i] as string[]])));

test('every circuit of any graph is found, once', () => {
  fc.assert(
    fc.property(graphs, (arrows) => {
      const found = circuitsOf(arrows, Number.POSITIVE_INFINITY).map((path) => path.join(''));
      expect(found.toSorted()).toEqual(allCircuits(arrows).toSorted());
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('the search ends where it is told to, in a graph with more circuits than anybody could count', () => {
  const names = Array.from({ length: 40 }, (_, i) => `module-${i}`);
  const everyone = new Map(names.map((name) => [name, names]));
  expect(circuitsOf(everyone, 100)).toHaveLength(100);
});
