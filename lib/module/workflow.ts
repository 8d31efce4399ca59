import { HeadraceError } from '../contract';
import { LIMITS } from '../contract/limits';
import { MAX_PLAN_EVENTS, planEvents } from './history';
import { defineModule, type Module } from './module';
import { executionEnded } from './run-ended';
import { runFailed } from './run-failed';
import { checkConcurrency, checkName } from './settings';
import type { Step } from './step';
import { type On, on, type Subscribable } from './subscribe';

/** Calls a step once. */
export interface RunNode {
  readonly node: 'run';
  readonly step: Step;
  /** Outcomes that end the run here, in success: an expected turn, such as a rejected batch, is no error. */
  readonly endOn: readonly string[];
}

/** Calls a step for every item listed by an earlier step, in parallel. */
export interface ForEachNode {
  readonly node: 'forEach';
  readonly step: Step;
  /** The earlier step whose result carries the `items`. */
  readonly over: Step;
  /** Items at once. */
  readonly concurrency: number;
  /**
   * Repeats the step for an item until it returns this outcome: resumable slices. Absent = once. A step with 5 attempts
   * may take some 470,000 turns of an item; then the run fails with HR312.
   */
  readonly until?: string;
}

export type PlanNode = RunNode | ForEachNode;

/** One state of the plan: calls `step`; the run ends when it returns an outcome of `endOn`. */
export function run(step: Step, options: { readonly endOn?: readonly string[] } = {}): RunNode {
  return { node: 'run', step, endOn: options.endOn ?? [] };
}

export interface ForEachOptions {
  readonly over: Step;
  /** @default 8 */
  readonly concurrency?: number;
  readonly until?: string;
}

/** A Map over the items that `options.over` listed in the runs store. */
export function forEach(step: Step, options: ForEachOptions): ForEachNode {
  const { over, concurrency = 8, until } = options;
  return { node: 'forEach', step, over, concurrency, ...(until && { until }) };
}

export interface WorkflowOptions {
  /** Verb and noun: `train-digits`. */
  readonly name: string;
  readonly summary: string;
  /** The events that start a run, one run an event. */
  readonly on: readonly Subscribable[];
  /** The states in order. Each retries with backoff and jitter, and ends in a `run.failed` fact when it cannot go on. */
  readonly plan: readonly PlanNode[];
  /**
   * Runs started at once from the queue, 2 to 1000.
   *
   * @default 2
   */
  readonly concurrency?: number;
  /**
   * Why this workflow may stand in a circle of modules that feed each other: what makes it come to an end. A circle in
   * which nobody says so is refused (HR206).
   *
   * @default - it may not
   */
  readonly cycle?: string;
}

/** A stateful sequence, run by Step Functions. Found in `workflows/<name>.ts`. */
export interface Workflow extends Required<Omit<WorkflowOptions, 'on' | 'cycle'>> {
  readonly kind: 'workflow';
  readonly on: readonly On[];
  readonly cycle?: string;
}

/** Declares a workflow. @throws HeadraceError HR204 when the plan cannot run */
export function defineWorkflow(options: WorkflowOptions): Workflow {
  const workflow: Workflow = {
    kind: 'workflow',
    name: options.name,
    summary: options.summary,
    on: options.on.map((each) => ('listenable' in each ? each : on(each))),
    plan: options.plan,
    concurrency: options.concurrency ?? 2,
    ...(options.cycle !== undefined && { cycle: options.cycle }),
  };
  const broken = brokenRules(workflow);
  if (broken.length > 0) {
    throw new HeadraceError('HR204', {
      what: `Workflow ${workflow.name} cannot run: ${broken.join('; ')}.`,
      next: `Correct workflows/${workflow.name}.ts.`,
    });
  }
  return workflow;
}

function brokenRules({ name, concurrency, on: listens, plan, cycle }: Workflow): string[] {
  const names = plan.map((node) => node.step.name);
  const repeated = names.filter((name, i) => names.indexOf(name) !== i);
  const lateLists = plan.filter(
    (node, i) => node.node === 'forEach' && !plan.slice(0, i).some((earlier) => earlier.step === node.over),
  );
  return [
    ...checkName(name),
    ...checkConcurrency(concurrency),
    ...(listens.length === 0 ? ['`on` must name at least one event'] : []),
    ...(cycle === '' ? ['`cycle` must say in a sentence what ends the circle'] : []),
    ...(plan.length === 0 ? ['`plan` must have at least one state'] : []),
    ...repeated.map((step) => `step ${step} stands in the plan twice; a step's results are kept by its name`),
    ...plan.flatMap((node) => (node.node === 'forEach' ? checkParallel(node) : [])),
    ...(planEvents(plan) > MAX_PLAN_EVENTS
      ? [`\`plan\` has so many states and attempts that its history could pass ${MAX_PLAN_EVENTS} events`]
      : []),
    ...lateLists.map((node) => `forEach ${node.step.name} needs its \`over\` step earlier in the plan`),
  ];
}

/** Items at once: a tenth of what Step Functions allows, so that several runs have room. */
const MAX_PARALLEL = LIMITS.mapChildren.value / 10;

function checkParallel({ step, concurrency }: ForEachNode): string[] {
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MAX_PARALLEL) return [];
  return [`forEach ${step.name}: concurrency must be a whole number from 1 to ${MAX_PARALLEL}, got ${concurrency}`];
}

/** The steps of a workflow, in order of the plan. */
export const stepsOf = (workflow: Workflow): readonly Step[] => workflow.plan.map((node) => node.step);

/**
 * The module that starts the workflow's runs: what its subscription is built from. It also hears how executions end, to
 * tell the ends that the state machine itself cannot tell.
 */
export function starterOf(workflow: Workflow): Module {
  const ended = on(executionEnded, {
    status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
    name: [{ prefix: `${workflow.name}-` }],
  });
  const { name, summary } = workflow;
  return {
    ...defineModule({ name, summary, on: [...workflow.on, ended], emits: [runFailed], timeoutSeconds: 30 }),
    concurrency: workflow.concurrency,
  };
}
