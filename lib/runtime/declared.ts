import { type AnyEvent, type Draft, HeadraceError } from '../contract';

/** Passes on what a module or step may emit. @throws HeadraceError HR302 for a fact it does not declare */
export function declaredOnly(
  who: { readonly name: string; readonly emits: readonly AnyEvent[] },
  drafts: readonly Draft[],
): readonly Draft[] {
  const stray = drafts.find((draft) => !who.emits.some(({ dataschema }) => dataschema === draft.contract.dataschema));
  if (!stray) return drafts;
  throw new HeadraceError('HR302', {
    what: `${who.name} emitted an event it does not declare.`,
    got: `${stray.type} version ${stray.contract.version}`,
    allowed: who.emits.map(({ type, version }) => `${type} version ${version}`).join(', ') || 'none',
    next: `Add the contract to \`emits\` in lambdas/${who.name}/module.ts and deploy.`,
  });
}
