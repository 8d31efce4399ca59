import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { HeadraceError } from '../contract';
import { LIMITS } from '../contract/limits';
import {
  constructId,
  DEFAULT_MAX_HOPS,
  JOURNAL,
  OUTPUT,
  type Project,
  RUNS_STORE,
  refuseCycles,
  ruleFor,
} from '../module';
import type { QueueSettings } from '../module/queue-settings';
import { type Bundles, bundle } from './bundle';
import { Bus } from './bus';
import { Journal } from './journal';
import { LedgerTable } from './ledger';
import { output } from './outputs';
import { Store } from './store';
import { Subscription } from './subscription';
import { type PipelineParts, WorkFunction } from './work-function';
import { WorkflowMachine } from './workflow-machine';

export interface PipelineProps {
  /** What to deploy: `discover(folder)`. */
  readonly project: Project;
  /**
   * Whether stores and ledger go with the stack. Otherwise they are kept when the stack is deleted.
   *
   * @default - the CDK context key `ephemeral` (`-c ephemeral=true`), else false
   */
  readonly ephemeral?: boolean;
  /** Told when any alarm goes off. @default - alarms are only shown */
  readonly alarmAction?: IAlarmAction;
  /**
   * Whether functions send traces to X-Ray. The chain of events is followed without: by the correlation id in every
   * event and log line.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Longest chain of events, each caused by the one before, that is handled; the next one is parked (HR309). From 1 to
   * 1000.
   *
   * @default 15
   */
  readonly maxHops?: number;
  /** Queue settings other than those derived, by module name. @default - derived from the modules */
  readonly queues?: Readonly<Record<string, Partial<QueueSettings>>>;
  /**
   * Whether every event is kept, so that it can be replayed to modules that join later. Its store is named `journal`; no
   * module can use a store of that name.
   *
   * @default true
   */
  readonly journal?: boolean;
  /** Code of the functions. @default - bundled from the project's handlers */
  readonly bundles?: Bundles;
}

/** Everything a project declares, as one piece of infrastructure. */
export class Pipeline extends Construct {
  public readonly bus: Bus;
  public readonly ledger: LedgerTable;
  /** By name. */
  public readonly stores: ReadonlyMap<string, Store>;
  /** By module name. */
  public readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** By workflow name. */
  public readonly workflows: ReadonlyMap<string, WorkflowMachine>;
  /** Absent when it was left out. */
  public readonly journal?: Journal;
  public readonly bundles: Bundles;

  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id);
    const { project, tracing = false, journal = true } = props;
    if (journal) refuseReserved(project);
    // Not where a project is discovered: its graph must still show the circle.
    refuseCycles(project);
    const ephemeral = props.ephemeral ?? String(this.node.tryGetContext('ephemeral')) === 'true';
    this.bundles = props.bundles ?? bundle(project, { journal });
    this.bus = new Bus(this, 'EventBus');
    this.ledger = new LedgerTable(this, 'Ledger', { ephemeral });
    this.stores = this.addStores(project, { ephemeral, journal });
    const parts: PipelineParts = {
      bus: this.bus.bus,
      ledger: this.ledger.table,
      stores: this.stores,
      bundles: this.bundles,
      contracts: project.contracts,
      tracing,
      maxHops: maxHopsOf(props),
    };
    this.subscriptions = this.addSubscriptions(props, parts);
    this.workflows = this.addWorkflows(props, parts);
    if (journal) this.journal = this.addJournal(props, parts);
    output(this, OUTPUT.bus, this.bus.bus.eventBusName);
    output(this, OUTPUT.ledger, this.ledger.table.tableName);
    for (const [name, store] of this.stores) output(this, OUTPUT.store(name), store.bucket.bucketName);
  }

  private addStores(
    project: Project,
    { ephemeral, journal }: { readonly ephemeral: boolean; readonly journal: boolean },
  ): ReadonlyMap<string, Store> {
    const watched = watchedStores(project);
    const names = [...storeNames(project, watched), ...(journal ? [JOURNAL] : [])];
    return new Map(
      names.map((name) => [
        name,
        new Store(this, `Store${constructId(name)}`, {
          watched: watched.has(name),
          ephemeral,
          ...(name === RUNS_STORE && { expireAfterDays: LIMITS.runDays.value }),
        }),
      ]),
    );
  }

  private addSubscriptions(props: PipelineProps, parts: PipelineParts): ReadonlyMap<string, Subscription> {
    const { project, queues = {}, alarmAction } = props;
    refuseUnknown(Object.keys(queues), project);
    return new Map(
      project.modules.map(({ declared: module }) => {
        const own = queues[module.name];
        return [
          module.name,
          new Subscription(this, constructId(module.name), {
            module,
            parts,
            ...(own && { queues: own }),
            ...(alarmAction && { alarmAction }),
          }),
        ];
      }),
    );
  }

  private addWorkflows(props: PipelineProps, parts: PipelineParts): ReadonlyMap<string, WorkflowMachine> {
    const { project, alarmAction } = props;
    const runs = this.stores.get(RUNS_STORE)?.bucket;
    if (!runs) return new Map();
    const functions = this.addSteps(project, parts);
    return new Map(
      project.workflows.map(({ declared: workflow }) => [
        workflow.name,
        new WorkflowMachine(this, constructId(workflow.name), {
          workflow,
          parts,
          functions,
          runs,
          ...(alarmAction && { alarmAction }),
        }),
      ]),
    );
  }

  private addJournal({ project, alarmAction }: PipelineProps, parts: PipelineParts): Journal {
    const store = parts.stores.get(JOURNAL)!;
    return new Journal(this, 'Journal', { project, parts, store, ...(alarmAction && { alarmAction }) });
  }

  /** A step's function stands beside the workflows, because several may call it. */
  private addSteps(project: Project, parts: PipelineParts): ReadonlyMap<string, IFunction> {
    return new Map(
      project.steps.map(({ declared: step }) => {
        const work = { ...step, stores: { ...step.stores, [RUNS_STORE]: 'write' as const } };
        const made = new WorkFunction(this, constructId(step.name), { work, parts });
        output(this, OUTPUT.function(step.name), made.function.functionName);
        return [step.name, made.function];
      }),
    );
  }
}

/** @throws HeadraceError HR601 */
function maxHopsOf({ maxHops = DEFAULT_MAX_HOPS }: PipelineProps): number {
  if (Number.isInteger(maxHops) && maxHops >= 1 && maxHops <= 1000) return maxHops;
  throw new HeadraceError('HR601', {
    what: 'The longest chain of events is out of range.',
    got: maxHops,
    allowed: 'a whole number from 1 to 1000',
    next: 'Correct `maxHops` of the Pipeline.',
  });
}

function refuseUnknown(names: readonly string[], { modules }: Project): void {
  const known = modules.map(({ declared }) => declared.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new HeadraceError('HR601', {
    what: `\`queues\` names what is no module: ${unknown.join(', ')}.`,
    allowed: known.join(', '),
    next: 'Correct the name.',
  });
}

function refuseReserved(project: Project): void {
  const { modules, steps } = project;
  const user = [...modules, ...steps].find(({ declared }) => JOURNAL in declared.stores);
  const users = [...(user ? [user.declared.name] : []), ...(watchedStores(project).has(JOURNAL) ? ['an `on`'] : [])];
  if (users.length === 0) return;
  throw new HeadraceError('HR603', {
    what: `The store name ${JOURNAL} is reserved: the pipeline keeps every event there. It is used by ${users.join(' and ')}.`,
    next: 'Give your store another name, or leave the journal out with `journal: false` of the Pipeline.',
  });
}

/** Stores whose new objects somebody listens to. */
function watchedStores({ modules, workflows, contracts }: Project): ReadonlySet<string> {
  const plans = [...modules, ...workflows].flatMap(({ declared }) =>
    declared.on.map((entry) => ruleFor(entry, contracts)),
  );
  return new Set(plans.flatMap(({ store }) => store ?? []));
}

/** Every store that is named, in order of name; the runs store exists with the first workflow. */
function storeNames({ modules, steps, workflows }: Project, watched: ReadonlySet<string>): string[] {
  const touched = [...modules, ...steps].flatMap(({ declared }) => Object.keys(declared.stores));
  const own = workflows.length > 0 ? [RUNS_STORE] : [];
  return [...new Set([...touched, ...watched, ...own])].sort();
}
