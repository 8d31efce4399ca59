import { inspectAll } from '../../vision/defects';
import { readShard, writeShard } from '../../vision/shard';
import { type Damage, type Damages, spoil } from '../../vision/spoil';
import { digits } from './samples';

const samples = digits(0, 120);

const damages: Damages = {
  truncated: 6,
  corrupt: 5,
  blank: 5,
  duplicate: 7,
  'wrong-size': 3,
  'missing-label': 4,
  'impossible-label': 8,
  'wrong-label': 9,
};

test.each([1, 2, 3])(
  'inspection finds exactly the damage that was done, after a journey through a shard (seed %i)',
  async (seed) => {
    const { samples: spoiled, expected } = spoil(samples, damages, seed);
    const arrived = [];
    for await (const sample of readShard(await writeShard(spoiled))) arrived.push(sample);
    const { clean, defects } = inspectAll(arrived);
    const visible = [...expected].filter(([, damage]) => damage !== 'wrong-label').sort();
    expect(defects.map(({ key, code }) => [key, code]).sort()).toEqual(visible);
    expect(clean).toHaveLength(samples.length - visible.length);
  },
);

test('as many samples are damaged as were asked for, each in one way', () => {
  const { expected } = spoil(samples, damages, 1);
  for (const [damage, count] of Object.entries(damages) as [Damage, number][]) {
    expect([...expected.values()].filter((one) => one === damage)).toHaveLength(count);
  }
});

test('a wrong label is always the next digit, under the right picture', () => {
  const { samples: spoiled, expected } = spoil(samples, { 'wrong-label': 30 }, 1);
  spoiled.forEach((sample, i) => {
    const { label, png } = samples[i]!;
    expect(sample.png).toEqual(png);
    expect(sample.label).toBe(expected.has(sample.key) ? String((Number(label) + 1) % 10) : label);
  });
});

test('the rest stays as it was, in the same order', () => {
  const { samples: spoiled, expected } = spoil(samples, damages, 1);
  expect(spoiled.map(({ key }) => key)).toEqual(samples.map(({ key }) => key));
  spoiled.forEach((sample, i) => {
    if (!expected.has(sample.key)) expect(sample).toBe(samples[i]);
  });
});

test('the same seed does the same damage, another seed other damage', () => {
  expect(spoil(samples, damages, 1)).toEqual(spoil(samples, damages, 1));
  expect(spoil(samples, damages, 2).expected).not.toEqual(spoil(samples, damages, 1).expected);
});

test('nothing asked, nothing damaged', () => {
  expect(spoil(samples, {}, 1)).toEqual({ samples, expected: new Map() });
});

test('fails when no sample would stay good', () => {
  expect(() => spoil(samples.slice(0, 5), { blank: 5 }, 1)).toThrow(/cannot damage 5 of 5/);
});
