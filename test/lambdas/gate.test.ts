import { gate } from '../../lambdas/deploy-model/gate';

const challenger = { model_id: 'new', own: 0.95 };
const incumbent = { model_id: 'old', accuracy: 0.98, challenger: 0.98 };

test('a first model that reaches the threshold serves', () => {
  expect(gate({ ...challenger, own: 0.9 }, undefined)).toEqual({
    promote: true,
    score: 0.9,
    threshold: 0.9,
    reason: 'first model: 90.00 % on its validation images reaches 90.00 %',
  });
});

test('a first model below the threshold is withheld', () => {
  const verdict = gate({ ...challenger, own: 0.8999 }, undefined);
  expect(verdict).toMatchObject({ promote: false, score: 0.8999, threshold: 0.9 });
  expect(verdict.reason).toContain('stays below');
});

test('a challenger as good as the champion serves, measured on the images of the champion', () => {
  const verdict = gate({ ...challenger, own: 0.1 }, incumbent);
  expect(verdict).toMatchObject({ promote: true, score: 0.98, threshold: 0.98 });
  expect(verdict.reason).toBe('not worse than the champion old on its validation images: 98.00 % against 98.00 %');
});

test('a challenger worse than the champion is withheld, however good it is on its own images', () => {
  const verdict = gate({ ...challenger, own: 1 }, { ...incumbent, challenger: 0.9799 });
  expect(verdict).toMatchObject({ promote: false, score: 0.9799, threshold: 0.98 });
  expect(verdict.reason).toContain('worse than the champion old');
});

test('the champion itself changes nothing', () => {
  const verdict = gate({ ...challenger, model_id: 'old' }, incumbent);
  expect(verdict).toMatchObject({ promote: false, reason: 'it is the champion old itself: nothing changes' });
});
