/** Results of `work` in the order of `items`, with at most so many under way or waiting to be taken. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const started = work(item);
    // It is awaited in its turn; until then its failure is nobody's.
    started.catch(() => undefined);
    running.push(started);
    if (running.length >= concurrency) yield (await running.shift()) as Result;
  }
  for (const each of running) yield await each;
}
