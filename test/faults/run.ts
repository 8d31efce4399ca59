import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Experiment, type Figure, type Scale, SHARES } from './experiment';
import { Lab } from './lab/lab';
import { table, writeReport } from './report';

const USAGE = `node --conditions=source --import tsx test/faults/run.ts [options]

  --scale ci|small|full  a twentieth, a fifth or the whole of each experiment (default ci)
  --only R1,R3           these experiments alone
  --seed N               what is drawn is drawn from it (default 1)
  --json                 one JSON object on stdout: { seed, scale, figures }
  --write                write the table of docs/RELIABILITY.md
`;

/** Ends the suite as a wrong command line does. */
function refuse(what: string): never {
  process.stderr.write(`${what}\n\n${USAGE}`);
  process.exit(2);
}

function options() {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: 'ci' },
      only: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!(values.scale in SHARES)) refuse(`There is no scale ${values.scale}.`);
  if (!/^\d+$/.test(values.seed)) refuse(`The seed must be a whole number, got ${values.seed}.`);
  return { ...values, scale: values.scale as Scale, seed: Number(values.seed), only: values.only?.split(',') };
}

/** Every file in `experiments/` is one, by number. */
async function experiments(only: readonly string[] | undefined): Promise<Experiment[]> {
  const folder = join(__dirname, 'experiments');
  const files = readdirSync(folder).filter((name) => /^r\d+-[\w-]+\.ts$/.test(name));
  const all = await Promise.all(
    files.map(
      async (name) => ((await import(join(folder, name))) as { default: Experiment | { default: Experiment } }).default,
    ),
  );
  const found = all
    .map((each) => ('default' in each ? each.default : each))
    .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  const unknown = only?.filter((id) => !found.some((each) => each.id === id)) ?? [];
  if (unknown.length > 0) refuse(`There is no experiment ${unknown.join(', ')}.`);
  return only ? found.filter(({ id }) => only.includes(id)) : found;
}

const log = (line: string) => process.stderr.write(`${line}\n`);

async function figureOf(experiment: Experiment, run: Parameters<Experiment['run']>[0]): Promise<Figure> {
  const { id, title, target } = experiment;
  const begin = Date.now();
  log(`${id}: ${title}`);
  const outcome = await experiment.run(run).catch((error: Error) => {
    log(`${id} broke off: ${error.stack}`);
    return { measured: { broke_off: error.message }, pass: false };
  });
  return { id, title, target, seconds: Math.round((Date.now() - begin) / 100) / 10, ...outcome };
}

/** For `test/support/total.mjs`, which adds up what the suites counted. */
function noteTally(figures: readonly Figure[]): void {
  const folder = join(__dirname, '..', '..', '.headrace', 'tally');
  const passed = figures.filter(({ pass }) => pass).length;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'faults.json'), JSON.stringify({ passed, failed: figures.length - passed, skipped: 0 }));
}

async function main(): Promise<void> {
  const { scale, only, seed, json, write, help } = options();
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const chosen = await experiments(only);
  const lab = new Lab();
  const figures: Figure[] = [];
  const end = () => void lab.close().then(() => process.exit(130));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    for (const experiment of chosen) figures.push(await figureOf(experiment, { scale, seed, log, lab }));
  } finally {
    await lab.close();
  }
  if (write) writeReport({ scale, seed, figures });
  noteTally(figures);
  (json ? process.stderr : process.stdout).write(`${table(figures)}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ seed, scale, figures })}\n`);
  process.exitCode = figures.every(({ pass }) => pass) ? 0 : 1;
}

void main();
