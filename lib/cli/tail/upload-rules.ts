import { discover, OUTPUT, ruleFor } from '../../module';
import type { DefaultBusRule } from './tail';

/** The rules on the default bus by which the project's modules receive uploads, with the buckets of this deployment. */
export function uploadRules(project: string, outputs: Readonly<Record<string, string>>): DefaultBusRule[] {
  const { modules, workflows, contracts } = discover(project);
  return [...modules, ...workflows]
    .flatMap(({ declared }) => declared.on)
    .filter(({ listenable }) => listenable.kind === 'aws-event')
    .map((each) => ruleFor(each, contracts))
    .flatMap(({ store, pattern }) => {
      const bucket = store === undefined ? undefined : outputs[OUTPUT.store(store)];
      if (bucket === undefined) return [];
      return [{ pattern: { ...pattern, detail: { ...pattern.detail, bucket: { name: [bucket] } } } }];
    });
}
