import { HeadObjectCommand, type HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { type Cause, type Event, trailOf } from '../contract';
import { ENV, type Module } from '../module';
import { s3 } from './clients';
import { setting } from './setting';

/**
 * A chain of events in one line, to be kept with what is written: the object's metadata, an attribute of an item. Who
 * publishes because of it goes on with the chain instead of starting one, so that a circle through a store or a table
 * is seen for what it is.
 */
export const chainText = ({ id, type, correlationId, hops, trail, traceparent }: Cause): string =>
  JSON.stringify([id, type, correlationId, hops, trail ?? '', traceparent ?? '']);

/** The cause that {@link chainText} wrote down, or undefined when the text is none. */
export function chainFrom(text: string | undefined): Cause | undefined {
  if (text === undefined) return undefined;
  try {
    const [id, type, correlationId, hops, trail, traceparent] = JSON.parse(text) as unknown[];
    if (typeof id !== 'string' || typeof type !== 'string' || typeof correlationId !== 'string') return undefined;
    if (typeof hops !== 'number' || typeof trail !== 'string' || typeof traceparent !== 'string') return undefined;
    return { id, type, correlationId, hops, ...(trail && { trail }), ...(traceparent && { traceparent }) };
  } catch {
    return undefined;
  }
}

/** Metadata of an object that a module wrote: the chain it was written in. */
export const CHAIN_METADATA = 'headrace-chain';

/** Metadata travels in a header, and S3 takes 2 KB of it in all (Amazon S3 user guide, "Working with object metadata"). */
const MAX_METADATA = 1_800;

/** The metadata for what is written because of `cause`. What does not fit in it is left out: the chain then ends. */
export function chainMetadata(cause: Cause): Record<string, string> {
  const { trail: _, ...short } = cause;
  const text = [chainText(cause), chainText(short)]
    .map(encodeURIComponent)
    .find(({ length }) => length <= MAX_METADATA);
  return text === undefined ? {} : { [CHAIN_METADATA]: text };
}

/**
 * Goes on with the chain in which an object was written. Only where the module may read the store: an object that
 * nobody of the pipeline wrote begins a chain of its own.
 */
export async function adoptChain({ on, stores }: Pick<Module, 'on' | 'stores'>, event: Event): Promise<Event> {
  const heard = on.find(({ listenable }) => listenable.kind === 'aws-event' && listenable.type === event.type);
  const store = heard?.listenable.kind === 'aws-event' ? heard.listenable.store : undefined;
  if (store === undefined || stores[store] === undefined) return event;
  const { Metadata = {} }: Pick<HeadObjectCommandOutput, 'Metadata'> = await s3()
    .send(new HeadObjectCommand({ Bucket: setting(ENV.store(store)), Key: event.subject }))
    // The object may be gone; its event is handled all the same.
    .catch((error: { readonly $metadata?: { readonly httpStatusCode?: number } }) => {
      if (error.$metadata?.httpStatusCode === 404) return { Metadata: {} };
      throw error;
    });
  const text = Metadata[CHAIN_METADATA];
  const cause = chainFrom(text === undefined ? undefined : decode(text));
  if (!cause) return event;
  const { correlationId, hops, traceparent } = cause;
  return {
    ...event,
    correlationId,
    causationId: cause.id,
    hops: hops + 1,
    trail: trailOf(cause),
    ...(traceparent && { traceparent }),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
