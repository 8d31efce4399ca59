/** The moment at which every test takes place. */
export const NOW = new Date('2026-01-02T03:04:05.000Z');

/** Lets time begin at that moment, and go on from there at its own pace. */
export function startClock(start: Date = NOW): jest.SpyInstance {
  const began = performance.now();
  return jest.spyOn(Date, 'now').mockImplementation(() => start.getTime() + Math.floor(performance.now() - began));
}

/** A clock that stands still until told to move. */
export function fixedClock(start: Date = NOW) {
  let now = start.getTime();
  return {
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
