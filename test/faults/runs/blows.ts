import { permutation, type Random } from '../../../vision/rng';
import type { AwsCall } from '../proxy/aws-call';
import { type Fault, PASS } from '../proxy/plan';

/** The states of the training workflow, by the step they call. */
export const STATES = [
  'clean-dataset',
  'version-dataset',
  'extract-features',
  'plan-trials',
  'train-model',
  'choose-model',
  'evaluate-model',
] as const;
export type StateName = (typeof STATES)[number];

/** Moments of a state: around its claim in the ledger, at some time inside, after its first write, around its commit. */
export const MOMENTS = ['claim', 'claimed', 'inside', 'write', 'commit', 'committed'] as const;
export type Moment = (typeof MOMENTS)[number];

/** One misfortune of a run: the function processes of the state are killed, or the whole target is stopped. */
export interface Blow {
  readonly kind: 'kill' | 'stop';
  readonly state: StateName;
  readonly moment: Moment;
}

/** Kills of one state in one run. A step has 5 attempts, and is to get through without a person. */
const KILLS_A_STATE = 2;
export const KILLS_A_RUN = KILLS_A_STATE * STATES.length;

/**
 * Whether a state has such a moment. Features are kept by the hash of their images, which are the same in every run: the
 * first run has written them.
 */
const happens = ({ state, moment }: Blow) => !(state === 'extract-features' && moment === 'write');

/** So many blows of a kind, spread over all states and moments, in an order that the seed decides. */
export function blowsFor(kind: Blow['kind'], count: number, random: Random): Blow[] {
  const all = STATES.flatMap((state) => MOMENTS.map((moment): Blow => ({ kind, state, moment }))).filter(happens);
  const drawn: Blow[] = [];
  while (drawn.length < count) drawn.push(...[...permutation(all.length, random)].map((i) => all[i] as Blow));
  return drawn.slice(0, count);
}

/** Takes the blows of one run off the list: no state more kills than it has attempts for, and one stop. */
export function blowsOfRun(waiting: Blow[]): Blow[] {
  const taken: Blow[] = [];
  for (const blow of [...waiting]) {
    const same = taken.filter(({ kind, state }) => kind === blow.kind && (kind === 'stop' || state === blow.state));
    if (same.length >= (blow.kind === 'stop' ? 1 : KILLS_A_STATE)) continue;
    taken.push(blow);
    waiting.splice(waiting.indexOf(blow), 1);
  }
  return taken;
}

export interface Hands {
  /** Kills the processes of a state's function. @returns how many there were */
  kill(state: StateName): number;
  /** Asks for a stop of the whole target. */
  stop(): void;
}

/** Longest time after the claim at which `inside` strikes, ms. */
const INSIDE_MS = 60;

interface Place {
  readonly state: StateName;
  readonly call: 'claim' | 'write' | 'commit' | 'other';
}

/** Strikes one run, and keeps what the ledger was asked about it. */
export class Trouble {
  /** Id of the run, known from its first call. */
  public run: string | undefined;
  /** Time of the last call of the run, ms. */
  public heard = 0;
  public readonly struck: Blow[] = [];
  /** Claims and commits of work that was done before: completed work that was repeated. */
  public repeated = 0;
  private readonly waiting: Blow[];
  private readonly hands: Hands;
  private readonly random: Random;
  private readonly done = new Set<string>();
  private current: StateName | undefined;

  constructor(blows: readonly Blow[], hands: Hands, random: Random) {
    this.waiting = [...blows];
    this.hands = hands;
    this.random = random;
  }

  /** The blows that found no occasion. */
  public get left(): readonly Blow[] {
    return this.waiting;
  }

  public readonly decide = (call: AwsCall): Fault => {
    const place = this.placeOf(call);
    if (!place) return PASS;
    this.heard = Date.now();
    const { state } = place;
    if (place.call === 'claim') return this.strike(state, ['claim', 'claimed', 'inside']);
    if (place.call === 'commit') return this.strike(state, ['commit', 'committed']);
    return place.call === 'write' ? this.strike(state, ['write']) : PASS;
  };

  /** Sees what the ledger accepted. */
  public readonly witness = (call: AwsCall, status: number): void => {
    const key = keyIn(call);
    if (!key || !this.run || key.run !== this.run || status !== 200) return;
    if (isClaim(call) && this.done.has(key.pk)) this.repeated += 1;
    if (!isCommit(call)) return;
    if (this.done.has(key.pk)) this.repeated += 1;
    this.done.add(key.pk);
  };

  private placeOf(call: AwsCall): Place | undefined {
    const key = keyIn(call);
    if (key) {
      this.run ??= key.run;
      if (key.run !== this.run) return undefined;
      this.current = key.state;
      return { state: key.state, call: isClaim(call) ? 'claim' : isCommit(call) ? 'commit' : 'other' };
    }
    const writes = call.service === 's3' && call.operation === 'PUT' && this.current !== undefined;
    return writes ? { state: this.current as StateName, call: 'write' } : undefined;
  }

  private strike(state: StateName, moments: readonly Moment[]): Fault {
    const blow = this.waiting.find((each) => each.state === state && moments.includes(each.moment));
    if (!blow) return PASS;
    this.waiting.splice(this.waiting.indexOf(blow), 1);
    const act = () => this.land(blow);
    if (blow.moment === 'inside') {
      setTimeout(act, this.random() * INSIDE_MS);
      return PASS;
    }
    const before = blow.moment === 'claim' || blow.moment === 'commit';
    if (blow.kind === 'stop' && before) {
      act();
      return PASS;
    }
    return { kind: 'interrupt', when: before ? 'before' : 'after', act };
  }

  private land(blow: Blow): void {
    if (blow.kind === 'stop') this.hands.stop();
    else if (this.hands.kill(blow.state) === 0) {
      // Nobody was there to be killed: another occasion.
      this.waiting.push(blow);
      return;
    }
    this.struck.push(blow);
  }
}

/** The work a call to the ledger is about: `train-model#train-digits-0f3c/9a41/2`. */
function keyIn({ service, operation, body }: AwsCall) {
  if (service !== 'dynamodb' || operation !== 'UpdateItem') return undefined;
  const found = /"pk":\{"S":"(([a-z-]+)#([^/"]+)\/[^"]*)"/.exec(body);
  const [, pk = '', state = '', run = ''] = found ?? [];
  return (STATES as readonly string[]).includes(state) ? { pk, state: state as StateName, run } : undefined;
}

const isClaim = ({ body }: AwsCall) => body.includes('holder = :holder');
const isCommit = ({ body }: AwsCall) => body.includes('done_at = :now');
