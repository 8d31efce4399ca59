import type { AnyEvent } from '../contract';
import { graphOf, OUTPUT, type Project } from '../module';
import { typesOf } from '../module/rules';
import { splitByOutput } from './deployed';
import type { Pipeline } from './pipeline';

/** Who listens to an event type, as the project declares it. */
export function consumersOf({ type }: Pick<AnyEvent, 'type'>, project: Project): readonly string[] {
  return graphOf(project).events.find((event) => event.type === type)?.consumers ?? [];
}

/** `heard by deploy-model`, with what may keep a module from hearing it: a filter, or that it isn't deployed. */
export function heardBy(
  contract: Pick<AnyEvent, 'type'>,
  project: Project,
  pipeline: Pick<Pipeline, 'outputs'>,
): string {
  const consumers = consumersOf(contract, project);
  if (consumers.length === 0) return 'nobody listens to it';
  const { missing } = splitByOutput(consumers, OUTPUT.queue, pipeline);
  const told = consumers.map((name) => {
    if (missing.includes(name)) return `${name} (not deployed yet)`;
    return isFiltered(name, contract, project) ? `${name} (where its filter fits)` : name;
  });
  return `heard by ${told.join(', ')}`;
}

/** Whether a module hears only some events of this type. */
function isFiltered(name: string, { type }: Pick<AnyEvent, 'type'>, project: Project): boolean {
  const declared = [...project.modules, ...project.workflows].find((each) => each.declared.name === name)?.declared;
  const entries = declared?.on.filter((entry) => typesOf(entry, project.contracts).includes(type)) ?? [];
  return entries.length > 0 && entries.every(({ where }) => where !== undefined);
}
