import * as z from 'zod';

/**
 * A reference to an object in S3: what events carry instead of the object.
 * `sha256` is of the whole object, lower-case hex; `bytes` its length.
 */
export const objectRef = z.object({
  uri: z.string().regex(/^s3:\/\/[a-z0-9.-]+\/.+$/, 'must be s3://bucket/key'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
  bytes: z.number().int().nonnegative(),
});

export type ObjectRef = z.output<typeof objectRef>;
