import { counted } from '../counted';
import type { Output } from '../output';
import type { ReplayPlan, SubscriberPlan } from './plan';
import type { Ended, Tally } from './run';

/** The plan, for people. */
export function planLines(plan: ReplayPlan, out: Output): string[] {
  const { style } = out;
  const heard = plan.subscribers.filter(({ hears }) => hears > 0);
  const rows = heard.map((each) => [
    style.cyan(each.name),
    String(each.hears),
    String(each.done),
    String(each.first),
    String(each.again),
    refusedText(each),
  ]);
  const emits = [...new Set(heard.flatMap((each) => each.emits))];
  return [
    `Replay ${style.bold(plan.name)}: ${counted(plan.events, 'event')} that arrived from ${plan.from} to ${plan.to}`,
    '',
    ...out.table(['subscriber', 'hears', 'done', 'first time', 'again', 'refuses'], rows),
    '',
    `${counted(plan.total, 'message')} to send. What handling them emits${emits.length > 0 ? ` (${emits.join(', ')})` : ''} is ${plan.emitted}.`,
  ];
}

function refusedText({ refused }: SubscriberPlan): string {
  const codes = Object.entries(refused).map(([code, count]) => `${count} (${code})`);
  return codes.length > 0 ? codes.join(', ') : '0';
}

/** How far a run is, in one line. */
export function progressLine(plan: ReplayPlan, { handled, parked, unfinished, skipped }: Tally): string {
  const rest = [
    ...(parked > 0 ? [`${parked} parked`] : []),
    ...(unfinished > 0 ? [`${unfinished} unfinished`] : []),
    ...(skipped > 0 ? [`${skipped} done before`] : []),
  ];
  return [`${plan.name}: ${handled} of ${plan.total} handled`, ...rest].join(', ');
}

/** How a run ended, for people. */
export function endLines(ended: Ended, out: Output): string[] {
  const rows = Object.entries(ended.subscribers)
    .filter(([, tally]) => Object.values(tally).some((count) => count > 0))
    .map(([name, tally]) => [
      out.style.cyan(name),
      ...[tally.sent, tally.handled, tally.parked, tally.unfinished].map((count) => String(count)),
    ]);
  const bad = ended.total.parked + ended.total.unfinished;
  return [
    ...out.table(['subscriber', 'sent', 'handled', 'parked', 'unfinished'], rows),
    ...(bad > 0 ? [out.style.dim('npx headrace dlq list     shows what was parked, and why')] : []),
    ...(ended.interrupted && ended.underWay > 0
      ? [`${counted(ended.underWay, 'message')} under way; their subscribers finish them.`]
      : []),
  ];
}
