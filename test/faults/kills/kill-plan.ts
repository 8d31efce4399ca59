import type { Random } from '../../../vision/rng';
import type { AwsCall } from '../proxy/aws-call';
import { type Fault, PASS } from '../proxy/plan';

/** Where in its work a worker is killed; `random` at a moment that no call marks. */
export const POINTS = ['random', 'receive', 'effect', 'mark', 'commit', 'outbox', 'delete'] as const;
export type Point = (typeof POINTS)[number];

/** What a worker's calls mean. The points lie between them. */
export interface Script {
  /** The call that claims the event. */
  readonly claims: (call: AwsCall) => boolean;
  /** The call that makes the effect. */
  readonly makesEffect: (call: AwsCall) => boolean;
  /** The call that notes that the effect was made. */
  readonly marks: (call: AwsCall) => boolean;
  /** The call that sends the events that follow. */
  readonly sends: (call: AwsCall) => boolean;
}

type Place = readonly [call: keyof Script, when: 'before' | 'after'];

/** Each point as the moment just before or just after a call takes effect. */
const PLACES: Readonly<Record<Exclude<Point, 'random'>, Place>> = {
  receive: ['claims', 'before'],
  effect: ['makesEffect', 'before'],
  mark: ['makesEffect', 'after'],
  commit: ['marks', 'after'],
  outbox: ['sends', 'before'],
  delete: ['sends', 'after'],
};

export interface KillOptions {
  readonly kills: number;
  /** Effects that will be made in all: the kills are spread over them. */
  readonly effects: number;
  readonly script: Script;
  readonly random: Random;
  /** Kills every worker of the function. @returns how many there were */
  readonly kill: () => number;
}

/** Longest wait of a kill at random after its turn has come, ms. */
const RANDOM_MS = 200;

/** Kills workers again and again while work goes on: after every so many effects, at one point after the other. */
export class KillPlan {
  /** Kills so far by point. */
  public readonly done: Record<Point, number> = {
    random: 0,
    receive: 0,
    effect: 0,
    mark: 0,
    commit: 0,
    outbox: 0,
    delete: 0,
  };
  private readonly options: KillOptions;
  private next = 0;
  private effects = 0;
  private waiting = false;

  constructor(options: KillOptions) {
    this.options = options;
  }

  /** Decides about a call of the function. */
  public decide(call: AwsCall): Fault {
    const point = this.due();
    if (point === undefined) return PASS;
    if (point === 'random') {
      this.killSoon();
      return PASS;
    }
    const [name, when] = PLACES[point];
    if (!this.options.script[name](call)) return PASS;
    if (when === 'before') return { kind: 'interrupt', when, act: () => this.kill(point) };
    // Until the call is through, no other may be taken for it.
    this.waiting = true;
    return { kind: 'interrupt', when, act: () => this.kill(point) };
  }

  /** Counts an effect that was made. */
  public sawEffect(): void {
    this.effects += 1;
  }

  public get total(): number {
    return Object.values(this.done).reduce((sum, each) => sum + each, 0);
  }

  private due(): Point | undefined {
    const { kills, effects } = this.options;
    // The last kills come early enough that there is work left for every point.
    const after = (this.next * 0.9 * effects) / kills;
    if (this.waiting || this.next >= kills || this.effects < after) return undefined;
    return POINTS[this.next % POINTS.length];
  }

  private killSoon(): void {
    this.waiting = true;
    setTimeout(() => this.kill('random'), this.options.random() * RANDOM_MS);
  }

  private kill(point: Point): void {
    this.waiting = false;
    if (this.options.kill() === 0) return;
    this.done[point] += 1;
    this.next += 1;
  }
}
