import { type Cycle, cyclePath, MAX_CYCLES } from '../../module';
import type { Style } from '../output';

/** The circles, each in one line, with what brings it to an end below it; nothing when there is none. */
export function cycleLines(cycles: readonly Cycle[], style: Style): string[] {
  if (cycles.length === 0) return [];
  const more = cycles.length === MAX_CYCLES ? ', and there may be more' : '';
  return [style.bold(`Circles (${cycles.length}${more})`), ...cycles.flatMap((cycle) => linesOf(cycle, style))];
}

function linesOf(cycle: Cycle, style: Style): string[] {
  const ends = cycle.reasons.map(({ name, reason }) => style.dim(`  ${name} ends it: ${reason}`));
  const silent = style.yellow('  nobody says what ends it, so it is not deployed (HR206)');
  return [cyclePath(cycle), ...(ends.length > 0 ? ends : [silent])];
}
