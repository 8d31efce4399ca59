import * as z from 'zod';
import { defineEvent } from '../../lib/contract';

const declared = {
  type: 'essay.graded',
  version: 1,
  summary: 'An essay has its grade',
  schema: z.object({ essay: z.string(), grade: z.number().default(0) }),
} as const;

// What has a default may be left out by who sends, and is there for who reads.
const graded = defineEvent({ ...declared, subject: 'essay', example: { essay: 'e-1' }, sensitive: ['grade'] });
const { data, type } = graded.create({ essay: 'e-1' });
export const read: { grade: number; type: 'essay.graded' } = { grade: data.grade, type };

// @ts-expect-error the subject is a field of the data
defineEvent({ ...declared, subject: 'title', example: { essay: 'e-1' } });
// @ts-expect-error a sensitive field is a field of the data
defineEvent({ ...declared, subject: 'essay', example: { essay: 'e-1' }, sensitive: ['author'] });
// @ts-expect-error the example fits the schema
defineEvent({ ...declared, subject: 'essay', example: { essay: 1 } });
