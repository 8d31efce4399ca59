import { HeadraceError } from '../../contract';
import { type Module, OUTPUT, type Project, passes, type RulePlan, ruleFor, starterOf } from '../../module';
import { closest } from '../suggest';

/** Who can receive a replay: a module, or a workflow, whose runs are started from a queue too. */
export interface Subscriber {
  readonly name: string;
  readonly module: Module;
  readonly queueUrl: string;
  /** Types it emits, or may cause its workflow to emit. */
  readonly emits: readonly string[];
  /** Whether one of its rules lets the event through. */
  hears(event: object): boolean;
}

export interface Subscribers {
  readonly chosen: readonly Subscriber[];
  /** Declared, and not deployed yet. */
  readonly missing: readonly string[];
}

type Outputs = Readonly<Record<string, string>>;

/**
 * The one of that name, or everybody who is deployed.
 *
 * @throws HeadraceError HR521 when the project has none of that name, HR502 when it is not deployed
 */
export function subscribersOf(project: Project, outputs: Outputs, only: string | undefined): Subscribers {
  const all = listeners(project);
  if (only !== undefined && !all.some(({ module }) => module.name === only)) throw unknown(only, all, outputs);
  const wanted = all.filter(({ module }) => only === undefined || module.name === only);
  const missing = wanted.map(({ module }) => module.name).filter((name) => outputs[OUTPUT.queue(name)] === undefined);
  const deployed = wanted.filter(({ module }) => !missing.includes(module.name));
  if (deployed.length === 0) {
    throw new HeadraceError('HR502', {
      what: only === undefined ? 'No subscriber of the project is deployed.' : `${only} is not deployed yet.`,
      next: 'npx headrace deploy',
    });
  }
  return { chosen: deployed.map((listener) => subscriber(listener, project, outputs)), missing };
}

interface Listener {
  readonly module: Module;
  readonly emits: readonly string[];
}

function listeners({ modules, workflows }: Project): Listener[] {
  return [
    ...modules.map(({ declared }) => ({ module: declared, emits: declared.emits.map(({ type }) => type) })),
    ...workflows.map(({ declared }) => ({ module: starterOf(declared), emits: [] })),
  ];
}

function subscriber({ module, emits }: Listener, { contracts }: Project, outputs: Outputs): Subscriber {
  const rules: RulePlan[] = module.on.map((entry) => ruleFor(entry, contracts));
  const bucketOf = (store: string) => outputs[OUTPUT.store(store)];
  return {
    name: module.name,
    module,
    queueUrl: outputs[OUTPUT.queue(module.name)] ?? '',
    emits,
    hears: (event) => rules.some((rule) => passes(rule, event, bucketOf)),
  };
}

function unknown(only: string, all: readonly Listener[], outputs: Outputs): HeadraceError {
  const names = all.map(({ module }) => module.name);
  const near = closest(only, names);
  const left = outputs[OUTPUT.queue(only)] !== undefined;
  return new HeadraceError('HR521', {
    what: left
      ? `${only} has left the project; only its deployed queue is still there.`
      : `No module or workflow is named ${only}.`,
    allowed: names.join(', '),
    next: near ? `Did you mean --only ${near}?` : 'Choose one of these, or leave --only out to replay to all of them.',
  });
}
