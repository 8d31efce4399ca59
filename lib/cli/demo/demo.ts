import { rm } from 'node:fs/promises';
import { discover, type Graph, graphOf } from '../../module';
import { LocalTarget, resolveTarget, type Target } from '../../target';
import { clientsFor, type OpenClients } from '../clients';
import { deploy } from '../deploy';
import type { Output } from '../output';
import { type Pipeline, pipelineOn } from '../pipeline';
import type { Stage } from '../stage';
import { tail, uploadRules } from '../tail';
import { EventLog } from './event-log';
import { type LiveView, liveView } from './live-view';
import { Stages, type StageTotal } from './stages';
import { loadStory } from './story-file';

export interface DemoRequest {
  readonly project: string;
  readonly stack: string;
  readonly target: string | undefined;
  readonly full: boolean;
  /** Leave the local target running. */
  readonly keep: boolean;
  readonly out: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export interface DemoResult {
  /** What the story returned. */
  readonly told: Readonly<Record<string, unknown>>;
  readonly stages: readonly StageTotal[];
  readonly deploySeconds: number;
  readonly totalSeconds: number;
}

/** Plays the project's story on a deployed pipeline. Whatever happens, a target that was started here is stopped. */
export async function demo(request: DemoRequest): Promise<DemoResult> {
  const began = Date.now();
  const { project, stack, out } = request;
  const story = loadStory(project);
  const graph = graphOf(discover(project));
  const target = demoTarget(request);
  const onProgress = (message: string) => out.progress(message);
  try {
    const ready = target.start({ onProgress });
    const deployment = await untilAborted(deploy({ project, target, stack, onProgress, ready }), request.signal);
    const pipeline = await pipelineOn(target, stack);
    const deploySeconds = round((Date.now() - began) / 1000);
    out.progress(`deployed ${deployment.stack} in ${deploySeconds} s`);
    const { told, stages } = await play({ request, graph, pipeline, story, began });
    return { told, stages, deploySeconds, totalSeconds: round((Date.now() - began) / 1000) };
  } finally {
    await leave(target, request.keep);
  }
}

/** A local demo gets a target of its own, which lives as long as we do; a kept one is the project's own. */
function demoTarget({ project, env, target, keep }: DemoRequest): Target {
  const instance = keep ? {} : { instance: `demo-${process.pid}` };
  return resolveTarget(target, { root: project, env, keepAlive: keep, ...instance });
}

async function leave(target: Target, keep: boolean): Promise<void> {
  if (keep || !(target instanceof LocalTarget)) return;
  await target.stop();
  await rm(target.folder, { recursive: true, force: true });
}

interface Play {
  readonly request: DemoRequest;
  readonly graph: Graph;
  readonly pipeline: Pipeline;
  readonly story: (stage: Stage) => Promise<Record<string, unknown>>;
  readonly began: number;
}

async function play({ request, graph, pipeline, story, began }: Play) {
  const { out, signal } = request;
  const stages = new Stages(graph);
  const view = liveView(out, began, () => stages.totals());
  const log = new EventLog(signal);
  const stop = new AbortController();
  const hear = (event: Parameters<EventLog['add']>[0]) => {
    view.event(stages.add(event));
    log.add(event);
  };
  let onReady = () => {};
  const listening = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const source = {
    name: pipeline.bus,
    eventbridge: pipeline.clients.eventbridge,
    sqs: pipeline.clients.sqs,
    defaultBus: uploadRules(request.project, pipeline.outputs),
    onReady,
  };
  const tailing = tail(source, hear, stop.signal);
  try {
    await untilAborted(Promise.race([listening, tailing]), signal);
    out.clearProgress();
    const stage = stageFor({ request, pipeline, log, view });
    const told = await untilAborted(Promise.race([story(stage), tailing.then(neverSoon)]), signal);
    view.end();
    return { told, stages: stages.totals() };
  } catch (error) {
    view.end();
    await showDeadLetters(pipeline, request).catch(() => undefined);
    throw error;
  } finally {
    stop.abort();
    await tailing.catch(() => undefined);
    pipeline.clients.close();
  }
}

/** A tail ends only by its signal or by an error, which the race has then reported. */
const neverSoon = () => new Promise<never>(() => undefined);

interface StageParts {
  readonly request: DemoRequest;
  readonly pipeline: Pipeline;
  readonly log: EventLog;
  readonly view: LiveView;
}

function stageFor({ request, pipeline, log, view }: StageParts): Stage {
  const { project, full, signal } = request;
  const { target, stack, outputs, clients } = pipeline;
  return {
    project,
    target,
    stack,
    outputs,
    clients,
    full,
    signal,
    events: log,
    waitFor: (predicate, options) => log.waitFor(predicate, options),
    say: (line) => view.say(line),
    publish: async (drafts) => {
      const { publish } = require('../../runtime/publish') as typeof import('../../runtime/publish');
      const sent = await publish(drafts, { client: clients.eventbridge, bus: pipeline.bus });
      return sent.map(({ id }) => id);
    },
  };
}

/** Should the story fail, its target may soon be gone: what the modules could not handle is told now. */
async function showDeadLetters(pipeline: Pipeline, { project, out, target, keep, signal }: DemoRequest): Promise<void> {
  if (signal.aborted) return;
  const { groupLetters, mailboxes, peek } = require('../dead-letters') as typeof import('../dead-letters');
  const clients: OpenClients = clientsFor(pipeline.target);
  try {
    const { boxes } = mailboxes(pipeline, project);
    const letters = (await Promise.all(boxes.map((box) => peek(clients.sqs, box, 100)))).flat();
    for (const { module, error, count, message } of groupLetters(letters)) {
      out.note(`dead letters of ${module}: ${count} ${error}: ${message}`);
    }
  } finally {
    clients.close();
  }
  if (target === undefined && !keep) out.note('npx headrace demo --keep leaves the target running, to look into it.');
}

/** Thrown when Ctrl-C ends the demo. */
export class Interrupted extends Error {}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  if (signal.aborted) return Promise.reject(new Interrupted());
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Interrupted());
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
