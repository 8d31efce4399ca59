/** The moment at which every test takes place. */
export const NOW = new Date('2026-01-02T03:04:05.000Z');

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
