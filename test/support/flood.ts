import type { Pipeline } from '../../lib/cli/pipeline';
import type { Envelope } from '../../lib/contract';
import { putEvents } from '../../lib/runtime';

/** Requests at once. */
const PUBLISHERS = 4;

/** Puts many events on the bus, several requests at a time; within each of these lanes they keep their order. */
export async function flood(
  envelopes: readonly Envelope[],
  pipeline: Pick<Pipeline, 'clients' | 'bus'>,
): Promise<void> {
  const { clients, bus } = pipeline;
  const tens = Array.from({ length: Math.ceil(envelopes.length / 10) }, (_, i) => envelopes.slice(10 * i, 10 * i + 10));
  const lane = async () => {
    for (let ten = tens.shift(); ten; ten = tens.shift()) await putEvents(ten, { client: clients.eventbridge, bus });
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, lane));
}
