import { objectRef } from 'headrace/contract';
import * as z from 'zod';

/** What the gate saw and decided: shared by the two facts it can end in. */
export const gateDecision = z.object({
  model_id: z.string().min(1),
  dataset: z.string(),
  /** Challenger's accuracy on the champion's validation images; on its own when there is no champion. */
  score: z.number().min(0).max(1),
  /** What the score had to reach. */
  threshold: z.number().min(0).max(1),
  reason: z.string(),
  /** On the held-out images, for the reader. */
  accuracy: z.number().min(0).max(1),
  /** The whole decision with its inputs, as JSON. */
  decision: objectRef,
  evaluation: objectRef,
  artifact: objectRef,
});
