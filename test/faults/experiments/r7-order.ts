import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy } from '../../../lib/cli/deploy';
import { pipelineOn } from '../../../lib/cli/pipeline';
import type { Draft } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { publish, S3Store, type WritableStore } from '../../../lib/runtime';
import { LocalTarget } from '../../../lib/target';
import { simulate } from '../../../lib/testkit';
import { permutation, random } from '../../../vision/rng';
import type { Experiment, Outcome, Run, Scale } from '../experiment';
import { movePlayed } from '../order/events/move-played.v1';
import {
  after,
  keepScore,
  type Position,
  positionKey,
  positionSchema,
  START,
} from '../order/lambdas/keep-score/keep-score';
import module_ from '../order/lambdas/keep-score/module';
import { disturbed, uploadsOf } from '../order/uploads';

const ROOT = join(__dirname, '..', '..', '..');
const PROJECT = join(__dirname, '..', 'order');
const STACK = 'headrace-order';

interface Size {
  readonly seeds: number;
  readonly games: number;
  readonly moves: number;
  /** Games of ten moves on the local target; none where there is no time for it. */
  readonly real: number;
}

const SIZES: Readonly<Record<Scale, Size>> = {
  ci: { seeds: 5, games: 10, moves: 100, real: 0 },
  small: { seeds: 10, games: 20, moves: 100, real: 10 },
  full: { seeds: 50, games: 100, moves: 100, real: 30 },
};

/** Events among which the order is lost: from none to a thousand. */
const WINDOWS = [1, 10, 100, 500, 1000, 2, 5, 20, 50, 200];

interface Move {
  readonly game: string;
  readonly number: number;
  readonly move: string;
}

/** The moves of all games, one of each in turn. */
const movesOf = ({ games, moves }: Pick<Size, 'games' | 'moves'>): Move[] =>
  Array.from({ length: games * moves }, (_, i) => {
    const game = `game-${i % games}`;
    const number = Math.floor(i / games) + 1;
    return { game, number, move: `${game} ${number}` };
  });

/** The same in another order: shuffled within windows of so many. */
export function shuffled<T>(all: readonly T[], window: number, seed: number): T[] {
  const draw = random(seed, window);
  const windows = Array.from({ length: Math.ceil(all.length / window) }, (_, i) =>
    all.slice(i * window, (i + 1) * window),
  );
  return windows.flatMap((part) => [...permutation(part.length, draw)].map((i) => part[i] as T));
}

const hashOf = (positions: readonly (Position | undefined)[]) =>
  createHash('sha256').update(JSON.stringify(positions)).digest('hex').slice(0, 16);

/** The final state as it has to be: every game played in order. */
function expected(moves: readonly Move[], games: readonly string[]): string {
  const positions = new Map<string, Position>();
  for (const { game, move } of moves) positions.set(game, after(positions.get(game) ?? START, move));
  return hashOf(games.map((game) => positions.get(game)));
}

async function finalState(store: Pick<WritableStore, 'findJson'>, games: readonly string[]): Promise<string> {
  const found = await Promise.all(games.map((game) => store.findJson(positionKey(game), positionSchema)));
  return hashOf(found.map((each) => each?.value));
}

const draftsOf = (moves: readonly Move[]): Draft[] => moves.map((move) => movePlayed.create(move));

interface Trial {
  readonly hash: string;
  readonly parked: number;
}

async function simulated(size: Size, seed: number, log: Run['log']): Promise<Trial> {
  const moves = movesOf(size);
  const games = [...new Set(moves.map(({ game }) => game))];
  const window = WINDOWS[seed % WINDOWS.length] as number;
  const pipeline = simulate([{ module: module_, logic: keepScore as never }], { seed });
  pipeline.publish(draftsOf(shuffled(moves, window, seed)));
  await pipeline.run();
  const parked = pipeline.deadLetters().length;
  log(`R7: seed ${seed}, windows of ${window}: ${pipeline.handled(module_.name).length} handled, ${parked} parked`);
  return { hash: await finalState(pipeline.store('games'), games), parked };
}

/** A small run on the local target, all its events shuffled together. */
async function real(size: Size, seed: number, log: Run['log']): Promise<string> {
  const moves = movesOf({ games: size.real, moves: 10 });
  const games = [...new Set(moves.map(({ game }) => game))];
  const target = new LocalTarget({ root: ROOT, instance: `r7-${process.pid}` });
  try {
    await target.start({ onProgress: log });
    await deploy({ project: PROJECT, target, stack: STACK, onProgress: log });
    const pipeline = await pipelineOn(target, STACK);
    try {
      const { clients, bus } = pipeline;
      await publish(draftsOf(shuffled(moves, moves.length, seed)), { client: clients.eventbridge, bus });
      const store = new S3Store(clients.s3, pipeline.output(OUTPUT.store('games')));
      const wanted = expected(moves, games);
      const deadline = Date.now() + 600_000;
      let state = '';
      while (state !== wanted && Date.now() < deadline) {
        await sleep(2_000);
        state = await finalState(store, games);
      }
      return state === wanted ? 'as expected' : `another one: ${state}, not ${wanted}`;
    } finally {
      pipeline.clients.close();
    }
  } finally {
    await target.stop();
    await rm(target.folder, { recursive: true, force: true });
  }
}

async function run({ scale, seed, log }: Pick<Run, 'scale' | 'seed' | 'log'>): Promise<Outcome> {
  const size = SIZES[scale];
  const seeds = Array.from({ length: size.seeds }, (_, i) => seed + i - 1);
  const moves = movesOf(size);
  const wanted = expected(moves, [...new Set(moves.map(({ game }) => game))]);
  const trials: Trial[] = [];
  for (const each of seeds) trials.push(await simulated(size, each, log));
  const uploads = uploadsOf({ objects: size.games, writes: size.moves / 2 });
  const stores: string[] = [];
  for (const each of seeds) {
    const window = WINDOWS[each % WINDOWS.length] as number;
    stores.push(await disturbed(shuffled(uploads.events, window, each), each));
  }
  const onTarget = size.real > 0 ? await real(size, seed, log) : 'left out at this scale';
  const differing = trials.filter(({ hash }) => hash !== wanted).length;
  const parked = trials.reduce((sum, each) => sum + each.parked, 0);
  const storesDiffering = stores.filter((state) => state !== uploads.expected).length;
  const measured = {
    seeds: size.seeds,
    events_each: moves.length,
    windows: `1 to ${Math.max(...seeds.map((each) => WINDOWS[each % WINDOWS.length] as number))}`,
    final_states: new Set(trials.map(({ hash }) => hash)).size,
    differing_from_the_order_of_play: differing,
    parked,
    store: { events_each: uploads.events.length, ties_and_repeats: uploads.doubled, differing: storesDiffering },
    real: { events: size.real * 10, final_state: onTarget },
  };
  const same = differing + parked + storesDiffering === 0;
  return { measured, pass: same && (size.real === 0 || onTarget === 'as expected') };
}

const experiment: Experiment = {
  id: 'R7',
  title: 'Events of many subjects, shuffled, through an ordered module; objects of a store with ties and repeats',
  target: '10,000 events shuffled in windows of 1 to 1,000 with 50 seeds: identical final state',
  run,
};

export default experiment;
