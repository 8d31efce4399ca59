import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Mutant, plant } from '../mutants';

const RUNTIME = join(__dirname, '..', '..', '..', 'lib', 'runtime');

/** Plants the bug while the sources are read: nothing in the runtime knows of it. */
const planting = (mutant: Mutant): Plugin => ({
  name: 'mutant',
  setup({ onLoad, onEnd }) {
    let planted = false;
    onLoad({ filter: /[\\/]lib[\\/]runtime[\\/][^\\/]+\.ts$/ }, async ({ path }) => {
      if (basename(path) !== mutant.file) return undefined;
      planted = true;
      return { contents: plant(mutant, await readFile(path, 'utf8')), loader: 'ts' };
    });
    onEnd(() => {
      if (!planted) throw new Error(`lib/runtime/${mutant.file} is not part of the simulation`);
    });
  },
});

/** Bundles the scenario with testkit and runtime, as it is or with one bug in it. */
export async function bundle(outfile: string, mutant?: Mutant): Promise<void> {
  if (mutant) plant(mutant, await readFile(join(RUNTIME, mutant.file), 'utf8'));
  await build({
    entryPoints: [join(__dirname, 'trials.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    logLevel: 'error',
    ...(mutant && { plugins: [planting(mutant)] }),
  });
}
