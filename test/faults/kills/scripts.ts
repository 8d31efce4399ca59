import { EFFECTS_TABLE } from '../project/effects';
import type { AwsCall } from '../proxy/aws-call';
import type { Script } from './kill-plan';

const writesTo = (table: string) => (call: AwsCall) =>
  call.service === 'dynamodb' && call.operation !== 'GetItem' && call.body.includes(`"TableName":"${table}"`);

const isEffectOf = (by: string) => (call: AwsCall) =>
  writesTo(EFFECTS_TABLE)(call) && call.body.includes(`":by":{"S":"${by}"}`);

const emits = (type: string) => (call: AwsCall) =>
  call.service === 'events' && call.operation === 'PutEvents' && call.body.includes(`"DetailType":"${type}"`);

/** How a module of Headrace works off an event. @param type - of the event it emits */
export function headraceScript(module: string, ledger: string, type: string): Script {
  const onLedger = writesTo(ledger);
  const own = (call: AwsCall) => onLedger(call) && call.body.includes(`"${module}#`);
  return {
    claims: (call) => own(call) && call.body.includes('lease_until = :until'),
    makesEffect: isEffectOf(module),
    marks: (call) => own(call) && call.body.includes('":once"'),
    sends: emits(type),
  };
}

/** How the function that Powertools makes idempotent works off a message. */
export function powertoolsScript(table: string): Script {
  const own = writesTo(table);
  return {
    claims: (call) => own(call) && call.operation === 'PutItem',
    makesEffect: isEffectOf('powertools-work'),
    marks: (call) => own(call) && call.operation === 'UpdateItem',
    sends: emits('powertools.done'),
  };
}

/** Whether a call is one of this script's. */
export const belongsTo = (script: Script, call: AwsCall): boolean =>
  script.claims(call) || script.makesEffect(call) || script.marks(call) || script.sends(call);
