import type { Graph } from '../../module';
import type { SeenEvent } from '../stage';

/** An event with the stage that said it and the time it took since what it follows from. */
export interface StageEvent {
  readonly event: SeenEvent;
  /** Module or step; undefined for what comes from outside. */
  readonly stage: string | undefined;
  /** Since the cause, or since the workflow's event before; undefined for what comes from outside. */
  readonly seconds: number | undefined;
}

export interface StageTotal {
  readonly name: string;
  readonly seconds: number;
  readonly events: number;
}

/** Attributes the events of the bus to the stages of a pipeline. */
export class Stages {
  public readonly told: StageEvent[] = [];
  private readonly graph: Graph;
  private readonly byId = new Map<string, SeenEvent>();
  /** Last event of a workflow in a chain. */
  private readonly lastOf = new Map<string, SeenEvent>();

  constructor(graph: Graph) {
    this.graph = graph;
  }

  public add(event: SeenEvent): StageEvent {
    const cause = event.causationId === undefined ? undefined : this.byId.get(event.causationId);
    this.byId.set(event.id, event);
    const speaker = this.speakerOf(event, cause);
    const key = `${speaker?.workflow}\n${event.correlationId}`;
    const before = (speaker?.workflow && this.lastOf.get(key)) || cause;
    if (speaker?.workflow) this.lastOf.set(key, event);
    const seconds = before && Math.max(0, Date.parse(event.time) - Date.parse(before.time)) / 1000;
    const told = { event, stage: speaker?.stage, seconds };
    this.told.push(told);
    return told;
  }

  /** Stages in the order they first spoke. Their seconds are those in which they had something to do. */
  public totals(): StageTotal[] {
    const names = [...new Set(this.told.flatMap(({ stage }) => stage ?? []))];
    return names.map((name) => {
      const own = this.told.filter(({ stage }) => stage === name);
      return { name, seconds: round(busySeconds(own)), events: own.length };
    });
  }

  /** Who emitted it: where several may, the one that listens to its cause. */
  private speakerOf(event: SeenEvent, cause: SeenEvent | undefined): { stage: string; workflow?: string } | undefined {
    if (event.causationId === undefined) return undefined;
    const able = this.graph.modules.filter(({ emits }) => emits.includes(event.type));
    const speaker = able.find(({ on }) => cause && on.includes(cause.type)) ?? able[0];
    if (!speaker) return undefined;
    if (speaker.kind === 'module') return { stage: speaker.name };
    const step = speaker.steps.find(({ emits }) => emits.includes(event.type))?.name;
    return { stage: step ?? String(event.data.step ?? speaker.name), workflow: speaker.name };
  }
}

/** Seconds covered by the events' work, counting once what went on at the same time. */
function busySeconds(told: readonly StageEvent[]): number {
  const spans = told
    .map(({ event, seconds = 0 }) => ({ from: Date.parse(event.time) - seconds * 1000, to: Date.parse(event.time) }))
    .sort((a, b) => a.from - b.from);
  let busy = 0;
  let until = 0;
  for (const { from, to } of spans) {
    busy += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return busy / 1000;
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
