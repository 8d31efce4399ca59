import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { digits } from '../../demo/shards';
import { uploadBatch } from '../../demo/upload';
import { discover, graphOf } from '../../lib/module';
import { writeShard } from '../../vision/shard';
import { Deployed, ROOT, scratchFolder } from './support/deployed';

jest.setTimeout(240_000);

/** What makes up the project; the rest of the repo is not needed to deploy it. */
const PARTS = ['package.json', 'tsconfig.json', 'cdk.json', 'bin', 'lib', 'events', 'workflows', 'vision', 'lambdas'];

let scratch: Awaited<ReturnType<typeof scratchFolder>>;
let app: Deployed;

beforeAll(async () => {
  scratch = await scratchFolder('join');
  for (const part of PARTS) cpSync(join(ROOT, part), join(scratch.path, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(scratch.path, 'node_modules'));
  app = new Deployed(scratch.path, 'join');
  await app.start();
});

afterAll(async () => {
  await app.stop();
  await scratch.remove();
});

/** Every file of the project with its content. */
function files(): Map<string, string> {
  const all = PARTS.flatMap((part) => {
    const path = join(scratch.path, part);
    const names = part.includes('.') ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names.map((name) => join(path, name)).filter((file) => /\.\w+$/.test(file));
  });
  return new Map(all.map((file) => [relative(scratch.path, file), readFileSync(file, 'utf8')]));
}

const batch = async (name: string, split: 'train' | 'test', count: number) => {
  const purpose = split === 'test' ? ('holdout' as const) : ('training' as const);
  const shard = { bytes: await writeShard(digits(split, 0, count)), images: count };
  await uploadBatch(app.store('datasets'), { dataset: 'digits', batch: name, purpose }, [shard]);
};

test('a module joins by being copied into lambdas/: it hears, it speaks, it is trained on, and no other file changes', async () => {
  const before = files();
  cpSync(join(ROOT, 'examples', 'augment-dataset'), join(scratch.path, 'lambdas', 'augment-dataset'), {
    recursive: true,
  });
  await app.deploy();

  await batch('holdout', 'test', 300);
  await batch('batch-1', 'train', 1000);
  const augmented = await app.event('dataset.augmented', { source_batch: 'batch-1' });
  const arrived = await app.event('dataset.arrived', { batch: 'batch-1' });
  expect(augmented.causationId).toBe(arrived.id);

  const cleaned = await app.event('dataset.cleaned', { batch: 'batch-1-augmented' });
  const features = await app.log.waitFor(
    ({ type, data }) => type === 'features.extracted' && data.run === cleaned.data.run,
    { describe: 'features of the augmented batch' },
  );
  expect(cleaned.data.accepted).toBe(augmented.data.images);
  expect(features.data.train_images).toBeGreaterThan(1000);
  await app.log.waitFor(({ type, data }) => type === 'model.trained' && data.run === cleaned.data.run, {
    describe: 'a model trained on the augmented batch',
  });

  const after = files();
  const added = [...after.keys()].filter((file) => !before.has(file));
  expect(added.sort()).toEqual([
    'lambdas/augment-dataset/augment-dataset.ts',
    'lambdas/augment-dataset/dataset-augmented.v1.ts',
    'lambdas/augment-dataset/handler.ts',
    'lambdas/augment-dataset/module.ts',
  ]);
  for (const [file, content] of before) expect(after.get(file)).toBe(content);

  const { modules, events } = graphOf(discover(scratch.path));
  expect(modules.find(({ name }) => name === 'train-digits')?.on).toEqual(['dataset.arrived', 'dataset.augmented']);
  expect(events.find(({ type }) => type === 'dataset.augmented')).toMatchObject({
    producers: ['augment-dataset'],
    consumers: ['train-digits'],
  });
});
