import { type Html, html } from './html';
import { wilson } from './interval';
import type { CalibrationBin } from './metrics';

const WIDTH = 420;
const HEIGHT = 260;
const LEFT = 48;
const RIGHT = 12;
const TOP = 24;
const BOTTOM = 40;

type Scale = (value: number) => number;

/** Training loss over epochs, on a logarithmic scale. */
export function learningCurve(points: readonly { epoch: number; loss: number }[]): Html {
  if (points.length === 0) return html`<p class="note">No epochs were recorded.</p>`;
  const losses = points.map(({ loss }) => Math.max(loss, 1e-6));
  const ticks = logTicks(Math.min(...losses), Math.max(...losses));
  const x = linear([points[0]!.epoch, points.at(-1)!.epoch], [LEFT + 14, WIDTH - RIGHT - 14]);
  const y = logarithmic([ticks[0]!, ticks.at(-1)!], [HEIGHT - BOTTOM, TOP]);
  const dots = points.map(({ epoch }, i) => [round(x(epoch)), round(y(losses[i]!))] as const);
  const every = Math.ceil(points.length / 12);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Training loss over epochs">
${ticks.map((tick) => gridLine(y(tick), String(tick)))}
<polyline class="line" points="${dots.map((dot) => dot.join(',')).join(' ')}"/>
${dots.map(([cx, cy], i) => html`<circle class="dot" cx="${cx}" cy="${cy}" r="3"><title>epoch ${points[i]!.epoch + 1}: ${losses[i]!.toFixed(4)}</title></circle>`)}
${points.map(({ epoch }, i) => (i % every === 0 ? columnLabel(x(epoch), String(epoch + 1)) : undefined))}
${axisTitles('cross-entropy, nats', 'epoch')}</svg>`;
}

/** Accuracy against confidence, with 95 % intervals; a calibrated classifier lies on the diagonal. */
export function reliability(bins: readonly CalibrationBin[]): Html {
  const x = linear([0, 1], [LEFT, WIDTH - RIGHT]);
  const y = linear([0, 1], [HEIGHT - BOTTOM, TOP]);
  const filled = bins.filter(({ count }) => count > 0);
  const most = Math.max(1, ...filled.map(({ count }) => count));
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Accuracy against confidence">
${[0, 0.25, 0.5, 0.75, 1].map((tick) => [gridLine(y(tick), percent(tick)), columnLabel(x(tick), percent(tick))])}
${filled.map((bin) => column(bin, x, (34 * Math.log1p(bin.count)) / Math.log1p(most)))}
<line class="diagonal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${filled.map((bin) => binDot(bin, x, y))}
${axisTitles('share that was right', 'confidence')}</svg>`;
}

function column({ from, to }: CalibrationBin, x: Scale, height: number): Html {
  return html`<rect class="column" x="${round(x(from) + 1)}" y="${round(HEIGHT - BOTTOM - height)}" width="${round(x(to) - x(from) - 2)}" height="${round(height)}" opacity=".5"/>`;
}

function binDot({ count, confidence, accuracy }: CalibrationBin, x: Scale, y: Scale): Html {
  const [low, high] = wilson(Math.round(accuracy * count), count);
  const at = round(x(confidence));
  return html`<line class="whisker" x1="${at}" x2="${at}" y1="${round(y(low))}" y2="${round(y(high))}"/>
<circle class="dot" cx="${at}" cy="${round(y(accuracy))}" r="4"><title>${count} predictions of ${percent(confidence)} mean confidence: ${percent(accuracy)} right</title></circle>`;
}

function gridLine(y: number, label: string): Html {
  return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y)}" y2="${round(y)}"/><text x="${LEFT - 8}" y="${round(y + 4)}" text-anchor="end">${label}</text>`;
}

function columnLabel(x: number, label: string): Html {
  return html`<text x="${round(x)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${label}</text>`;
}

function axisTitles(vertical: string, horizontal: string): Html {
  return html`<text x="0" y="10">${vertical}</text><text x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${horizontal}</text>`;
}

function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  return (value) => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start));
}

function logarithmic([from, to]: readonly [number, number], range: readonly [number, number]): Scale {
  const scale = linear([Math.log(from), Math.log(to)], range);
  return (value) => scale(Math.log(value));
}

/** Round numbers (1, 2, 5 times powers of ten) that enclose a range. */
function logTicks(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
    for (const digit of [1, 2, 5]) ticks.push(Number((digit * 10 ** exponent).toPrecision(1)));
  }
  const first = ticks.findLastIndex((tick) => tick <= low);
  const last = ticks.findIndex((tick) => tick > high);
  return ticks.slice(Math.max(0, first), last + 1);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
