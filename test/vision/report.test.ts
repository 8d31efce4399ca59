import { encodePng } from '../../vision/image';
import { evaluate } from '../../vision/metrics';
import { type ReportInput, renderReport } from '../../vision/report';
import { draw } from './samples';

const hyperparameters = { hidden: 64, learningRate: 0.006, weightDecay: 0.01, epochs: 3, batchSize: 128, seed: 1 };
const picture = encodePng(draw((x, y) => (x * y) % 256));

const input: ReportInput = {
  model: { id: 'digits-5d41402a', hyperparameters, trainImages: 54_000, sha256: 'ab'.repeat(32), bytes: 103_576 },
  evaluation: evaluate(Float32Array.of(0.9, 0.1, 0.2, 0.8, 0.7, 0.3, 0.6, 0.4), Uint8Array.of(0, 1, 1, 0), 2),
  decision: { outcome: 'deployed', reason: 'first model' },
  learningCurve: [0.3, 0.05, 0.02].map((loss, epoch) => ({ epoch, loss })),
  worstMistakes: [{ png: picture, label: 1, predicted: 0, confidence: 0.7 }],
  search: [
    { hyperparameters: { ...hyperparameters, hidden: 0 }, accuracy: 0.9904 },
    { hyperparameters, accuracy: 0.9923 },
  ],
  lineage: [{ what: 'Dataset version', id: '3c59dc04', detail: '60,000 images' }],
};

test('the page states accuracy, mistakes, decision, search and lineage', () => {
  const page = renderReport(input);
  for (const fact of [
    '75.00<small> %',
    '1 of 4 unseen digits',
    'Deployed</b>: first model',
    '99.23 %',
    '3c59dc04',
    '102 KiB',
    'one hidden layer of 64 units, trained on 54,000 images',
    'ab'.repeat(32),
  ]) {
    expect(page).toContain(fact);
  }
});

test('this model stands in order among the published error rates', () => {
  const error = (share: number) => ({ ...input, evaluation: { ...input.evaluation, accuracy: 1 - share } });
  const order = (page: string) =>
    [...page.matchAll(/<th scope="row">([^<]*)<\/th>\s*<td class="bar">/g)].map(([, name]) => name);
  expect(order(renderReport(error(0.0065))).at(-1)).toBe('This model');
  expect(order(renderReport(error(0.04)))).toEqual([
    'Linear classifier',
    'Linear, deskewed',
    'k nearest neighbours',
    'Two layers, 300 units',
    'This model',
    '40 PCA, quadratic',
    'LeNet-5',
  ]);
});

test('the chosen candidate is marked, and only it', () => {
  const rows = renderReport(input).match(/<tr class="chosen">.*?<\/tr>/gs);
  expect(rows).toHaveLength(1);
  expect(rows![0]).toContain('99.23 %');
});

test('mistakes are shown as pictures inside the page', () => {
  expect(renderReport(input)).toContain(`src="data:image/png;base64,${Buffer.from(picture).toString('base64')}"`);
});

test('the page loads nothing and runs nothing', () => {
  const page = renderReport(input);
  expect(page).not.toMatch(/<script|\son\w+=|https?:|url\(|@import|<link|<iframe/i);
  expect(page).toContain("default-src 'none'");
});

test('whatever names and reasons contain, it stays text', () => {
  const evil = `"><script>alert('&')</script>`;
  const page = renderReport({
    ...input,
    model: { ...input.model, id: evil, sha256: evil },
    decision: { outcome: 'withheld', reason: evil },
    lineage: [{ what: evil, id: evil, detail: evil }],
  });
  expect(page).not.toMatch(/<script/);
  expect(page.split('&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;')).toHaveLength(8);
});

test('every tag that is opened is closed', () => {
  const open: string[] = [];
  const body = renderReport(input).replace(/<style>.*?<\/style>/s, '');
  for (const [, slash, name, , self] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*?)(\/?)>/g)) {
    if (['meta', 'img', 'br'].includes(name!) || self) continue;
    if (slash) expect(open.pop()).toBe(name);
    else open.push(name!);
  }
  expect(open).toEqual([]);
});

test('a page can be made of little: no decision, no mistakes, no epochs, a perfect score', () => {
  const { decision: _, ...undecided } = input;
  const evaluation = evaluate(Float32Array.of(1, 0, 0, 1), Uint8Array.of(0, 1), 2);
  const page = renderReport({
    ...undecided,
    evaluation,
    worstMistakes: [],
    learningCurve: [],
    search: [],
    lineage: [],
  });
  expect(page).toContain('0 of 2 unseen digits');
  expect(page).not.toMatch(/Worst mistakes|class="verdict|NaN|undefined|Infinity/);
});

test('one epoch and a loss of zero can be drawn', () => {
  expect(renderReport({ ...input, learningCurve: [{ epoch: 0, loss: 0 }] })).not.toMatch(/NaN|Infinity/);
});

test('the same input gives the same page', () => {
  expect(renderReport(input)).toBe(renderReport(input));
});
