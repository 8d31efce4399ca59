import * as z from 'zod';
import { defineAwsEvent } from './aws-event';

const schema = z.object({
  bucket: z.object({ name: z.string() }),
  object: z.object({
    /** Key, not URL-encoded. */
    key: z.string(),
    size: z.number(),
    etag: z.string().optional(),
    /** Hexadecimal, rising for one key: tells which of two events of a key is the later. */
    sequencer: z.string().optional(),
  }),
});

/**
 * Sequencers of one key are compared as text, the shorter one filled up with zeros on the right (Amazon S3 user guide,
 * "Event message structure"). Today they have up to 18 digits.
 */
const SEQUENCER_LENGTH = 32;

/**
 * An object was written to the store: `on(objectCreated('datasets'), { object: { key: [{ suffix: '.png' }] } })`.
 * Source: Amazon S3 user guide, "EventBridge event message structure".
 */
export function objectCreated(store: string) {
  return defineAwsEvent({
    store,
    type: 's3.object-created',
    source: 'aws.s3',
    detailType: 'Object Created',
    summary: `An object was written to the ${store} store`,
    schema,
    subject: ({ object }) => object.key,
    sequence: ({ bucket, object }) =>
      object.sequencer === undefined
        ? undefined
        : {
            scope: `${bucket.name}/${object.key}`,
            value: object.sequencer.toUpperCase().padEnd(SEQUENCER_LENGTH, '0'),
          },
  });
}
