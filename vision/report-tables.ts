import { type Html, html } from './html';
import type { ClassQuality } from './metrics';
import type { Hyperparameters } from './network';

/** Error on the MNIST test images. Source: LeCun et al. 1998 and the MNIST page; none uses distorted training images. */
const PUBLISHED = [
  { name: 'Linear classifier', error: 0.12 },
  { name: 'Linear, deskewed', error: 0.084 },
  { name: 'k nearest neighbours', error: 0.05 },
  { name: 'Two layers, 300 units', error: 0.047 },
  { name: '40 PCA, quadratic', error: 0.033 },
  { name: 'LeNet-5', error: 0.0095 },
] as const;

/** The published error rates and ours among them, worst first. */
export function publishedTable(error: number): Html {
  const ours = { name: 'This model', error };
  const rows = [...PUBLISHED, ours].sort((a, b) => b.error - a.error);
  const most = rows[0]!.error || 1;
  return html`<table class="bars"><tbody>
${rows.map(
  (row) => html`<tr${row === ours ? html` class="ours"` : undefined}><th scope="row">${row.name}</th>
<td class="bar"><i style="width:${((100 * row.error) / most).toFixed(1)}%"></i></td>
<td class="number">${(100 * row.error).toFixed(2)} %</td></tr>`,
)}
</tbody></table>`;
}

/** The confusion matrix as a table; mistakes are coloured by their number, relative to the most frequent one. */
export function confusionTable(confusion: readonly (readonly number[])[]): Html {
  const most = Math.max(1, ...confusion.flatMap((row, label) => row.filter((_, predicted) => predicted !== label)));
  return html`<table class="confusion"><thead><tr><td></td>${confusion.map((_, label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>
${confusion.map(
  (row, label) =>
    html`<tr><th scope="row">${label}</th>${row.map((n, predicted) => confusionCell(n, predicted === label, most))}</tr>`,
)}
</tbody></table>`;
}

function confusionCell(n: number, right: boolean, most: number): Html {
  if (right) return html`<td class="right">${n}</td>`;
  if (n === 0) return html`<td class="none">·</td>`;
  return html`<td style="--share:${(0.1 + 0.65 * Math.sqrt(n / most)).toFixed(2)}">${n}</td>`;
}

/** Precision, recall and F1 of each class. */
export function perClassTable(perClass: readonly ClassQuality[]): Html {
  return html`<table class="lined"><thead><tr><th scope="col">Digit</th><th class="number" scope="col">Images</th>
<th class="number" scope="col">Precision</th><th class="number" scope="col">Recall</th><th class="number" scope="col">F1</th></tr></thead><tbody>
${perClass.map(
  ({
    label,
    count,
    precision,
    recall,
    f1,
  }) => html`<tr><th scope="row">${label}</th><td class="number">${count.toLocaleString('en')}</td>
${[precision, recall, f1].map((share) => html`<td class="number">${(100 * share).toFixed(2)}</td>`)}</tr>`,
)}
</tbody></table>`;
}

/** The candidates of the search, best first; the chosen one is marked. */
export function searchTable(
  search: readonly { hyperparameters: Hyperparameters; accuracy: number }[],
  chosen: Hyperparameters,
): Html {
  const rows = [...search].sort((a, b) => b.accuracy - a.accuracy);
  return html`<table class="lined"><thead><tr><th scope="col">Hidden units</th><th class="number" scope="col">Step</th>
<th class="number" scope="col">Decay</th><th class="number" scope="col">Epochs</th><th class="number" scope="col">Validation</th></tr></thead><tbody>
${rows.map(
  ({
    hyperparameters: h,
    accuracy,
  }) => html`<tr${isSame(h, chosen) ? html` class="chosen"` : undefined}><th scope="row">${h.hidden || 'none'}</th>
<td class="number">${h.learningRate}</td><td class="number">${h.weightDecay}</td><td class="number">${h.epochs}</td><td class="number">${(100 * accuracy).toFixed(2)} %</td></tr>`,
)}
</tbody></table>`;
}

function isSame(a: Hyperparameters, b: Hyperparameters): boolean {
  return (Object.keys(a) as (keyof Hyperparameters)[]).every((key) => a[key] === b[key]);
}
