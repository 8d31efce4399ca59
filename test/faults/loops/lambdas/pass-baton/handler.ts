import { consume } from 'headrace/runtime';
import { batonPassed } from '../../events/baton-passed.v1';
import module, { LEGS } from './module';

export const handler = consume(module, async ({ data, hops }) => (hops < LEGS ? [batonPassed.create(data)] : []));
