import { type BatchFeatures, joinBatches } from '../../vision/dataset';

/** A batch of pictures, each known by its hash; the features of a picture are those of its hash. */
function batch(pictures: Record<string, number>, corrects = false): BatchFeatures {
  const hashes = Object.keys(pictures);
  const values = Uint8Array.from(hashes.flatMap((hash) => [hash.charCodeAt(0), hash.charCodeAt(7)]));
  const labels = Uint8Array.from(Object.values(pictures));
  return { corrects, features: { rows: hashes.length, dims: 2, hashes, keys: hashes, labels, values } };
}

/** Validation takes the hashes whose first eight digits are a multiple of ten. */
const [TRAIN_A, TRAIN_B, VALIDATION] = ['00000001', '00000002', '0000000a'];

test('a picture stands in the dataset once, however many batches bring it', () => {
  const { train } = joinBatches([batch({ [TRAIN_A]: 1, [TRAIN_B]: 2 }), batch({ [TRAIN_A]: 1 })]);
  expect(train.hashes).toEqual([TRAIN_A, TRAIN_B]);
});

test('the first label of a picture stands, unless a correction overrides it', () => {
  const contradicted = joinBatches([batch({ [TRAIN_A]: 1 }), batch({ [TRAIN_A]: 7 })]);
  expect([...contradicted.train.labels]).toEqual([1]);
  const corrected = joinBatches([batch({ [TRAIN_A]: 1 }), batch({ [TRAIN_A]: 7 }, true)]);
  expect([...corrected.train.labels]).toEqual([7]);
});

test('the later of two corrections counts', () => {
  const twice = [batch({ [TRAIN_A]: 1 }), batch({ [TRAIN_A]: 7 }, true), batch({ [TRAIN_A]: 4 }, true)];
  expect([...joinBatches(twice).train.labels]).toEqual([4]);
});

test('training and validation never share a picture', () => {
  const { train, validation } = joinBatches([batch({ [TRAIN_A]: 1, [VALIDATION]: 2 }), batch({ [VALIDATION]: 2 })]);
  expect(train.hashes).toEqual([TRAIN_A]);
  expect(validation.hashes).toEqual([VALIDATION]);
});

test('the dataset is the same whichever batch came first', () => {
  const [one, two] = [batch({ [TRAIN_B]: 2, [VALIDATION]: 3 }), batch({ [TRAIN_A]: 1 })];
  expect(joinBatches([one, two])).toEqual(joinBatches([two, one]));
});
