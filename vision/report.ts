import { Html, html } from './html';
import { wilson } from './interval';
import type { ClassQuality, Evaluation } from './metrics';
import type { Hyperparameters } from './network';
import { learningCurve, reliability } from './report-figures';
import { STYLE } from './report-style';
import { confusionTable, perClassTable, publishedTable, searchTable } from './report-tables';

/** A picture the model read wrongly, with how sure it was. */
export type MistakePicture = { png: Uint8Array; label: number; predicted: number; confidence: number };

/** One stage on the way from raw data to the model, e.g. `what` "Dataset version", `id` "3c59dc04", `detail` "9,811 images". */
export type LineageStep = { what: string; id: string; detail?: string };

export type ReportInput = {
  model: { id: string; hyperparameters: Hyperparameters; trainImages: number; sha256?: string; bytes?: number };
  /** On images the model has never seen, looked at once. */
  evaluation: Omit<Evaluation, 'worst'>;
  /** Absent while the gate has not decided. */
  decision?: { outcome: 'deployed' | 'withheld'; reason: string };
  learningCurve: readonly { epoch: number; loss: number }[];
  worstMistakes: readonly MistakePicture[];
  /** Default: those of `evaluation`. */
  perClass?: readonly ClassQuality[];
  /** Default: that of `evaluation`. */
  calibration?: Evaluation['calibration'];
  /** Every candidate with its accuracy on the validation images. */
  search: readonly { hyperparameters: Hyperparameters; accuracy: number }[];
  /** From the raw data to the model, in order. */
  lineage: readonly LineageStep[];
};

/**
 * The report on one model as a single HTML page: no scripts, no network, everything escaped, legible on a telephone and
 * on paper, light or dark. The same input always gives the same page.
 */
export function renderReport(input: ReportInput): string {
  const { model, evaluation } = input;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${percent(evaluation.accuracy)} · ${model.id}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${header(input)}
${headline(input)}
${confusions(input)}
${mistakes(input)}
${confidence(input)}
${training(input)}
${lineage(input)}
<footer>Made from recorded measurements of this model alone. Published error rates: LeCun, Bottou, Bengio, Haffner,
“Gradient-based learning applied to document recognition”, 1998, and the MNIST page that goes with it. Calibration error:
Guo, Pleiss, Sun, Weinberger, 2017. Intervals: Wilson, 1927, 95 %.</footer>
</main>
</body>
</html>
`.text;
}

function header({ model, decision }: ReportInput): Html {
  return html`<header>
<p class="eyebrow">Model report</p>
<h1>${model.id}</h1>
<p class="eyebrow">${describe(model.hyperparameters)}, trained on ${count(model.trainImages)} images</p>
${decision && html`<p class="verdict ${decision.outcome}"><b>${decision.outcome === 'deployed' ? 'Deployed' : 'Withheld'}</b>: ${decision.reason}</p>`}
</header>`;
}

function headline({ model, evaluation }: ReportInput): Html {
  const right = Math.round(evaluation.accuracy * evaluation.count);
  const [low, high] = wilson(right, evaluation.count);
  return html`<section class="pair">
<div>
<h2>Accuracy</h2>
<p class="headline">${(100 * evaluation.accuracy).toFixed(2)}<small> %</small></p>
<p>${count(evaluation.count - right)} of ${count(evaluation.count)} unseen digits read wrongly.</p>
<dl>
<dt>95 % interval</dt><dd>${percent(low)} to ${percent(high)}</dd>
<dt>Log loss</dt><dd>${evaluation.logLoss.toFixed(4)} nats</dd>
<dt>Calibration error</dt><dd>${percent(evaluation.calibration.ece)}</dd>
${model.bytes && html`<dt>Model size</dt><dd>${count(Math.ceil(model.bytes / 1024))} KiB</dd>`}
</dl>
</div>
<div>
<h2>Beside published results</h2>
<p class="note">Error on MNIST, lower is better. The published ones learned from 60,000 images and were measured on
10,000; this one learned from ${count(model.trainImages)} and was measured on ${count(evaluation.count)}.</p>
${publishedTable(1 - evaluation.accuracy)}
</div>
</section>`;
}

function confusions({ evaluation, perClass = evaluation.perClass }: ReportInput): Html {
  return html`<section>
<h2>What it confuses</h2>
<p>Rows are what the digit is, columns what the model reads. Colour marks mistakes; the diagonal, in grey, is right.</p>
<div class="pair">
<div class="scroll">${confusionTable(evaluation.confusion)}</div>
<div class="scroll">${perClassTable(perClass)}</div>
</div>
</section>`;
}

function mistakes({ worstMistakes }: ReportInput): Html | undefined {
  if (worstMistakes.length === 0) return undefined;
  return html`<section>
<h2>Worst mistakes</h2>
<p>The digits it read wrongly with the most confidence.</p>
<div class="mistakes">
${worstMistakes.map(
  ({ png, label, predicted, confidence }) => html`<figure>
<img src="data:image/png;base64,${Buffer.from(png).toString('base64')}" width="28" height="28" alt="a ${label} read as ${predicted}">
<figcaption><b>${label}</b> read as <b>${predicted}</b><br><span>${percent(confidence)} sure</span></figcaption>
</figure>`,
)}
</div>
</section>`;
}

function confidence({ evaluation, calibration = evaluation.calibration }: ReportInput): Html {
  return html`<section>
<div class="pair">
<div>
<h2>Can its confidence be trusted?</h2>
<p>A dot stands for predictions of like confidence: on the dashed line, the model is right as often as it says. Lines show
where the true share plausibly lies; columns below, how many predictions there are, on a logarithmic scale.</p>
<p>Confidence and accuracy differ by ${percent(calibration.ece)} on average.</p>
</div>
<div>${reliability(calibration.bins)}</div>
</div>
</section>`;
}

function training({ model, search, learningCurve: curve }: ReportInput): Html {
  return html`<section>
<h2>How it was trained</h2>
<p>Candidates were compared on validation images held out from training; the images above had no part in it.</p>
<div class="pair">
<div><h3>Loss of the training images</h3>${learningCurve(curve)}</div>
<div class="scroll"><h3>Candidates</h3>${searchTable(search, model.hyperparameters)}</div>
</div>
</section>`;
}

function lineage({ lineage: steps, model }: ReportInput): Html {
  const last = model.sha256
    ? [{ what: 'Model file', id: model.sha256, detail: 'SHA-256 of the safetensors file' }]
    : [];
  return html`<section>
<h2>Where it comes from</h2>
<ol>
${[...steps, ...last].map(
  ({ what, id, detail }: LineageStep) =>
    html`<li><span>${what}</span><div><code>${id}</code>${detail && html`<br><span>${detail}</span>`}</div></li>`,
)}
</ol>
</section>`;
}

function describe({ hidden }: Hyperparameters): string {
  return hidden > 0 ? `Network with one hidden layer of ${hidden} units` : 'Softmax regression';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
