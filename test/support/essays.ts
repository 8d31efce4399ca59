import * as z from 'zod';
import { defineEvent, defineFamily } from '../../lib/contract';
import { defineModule } from '../../lib/module';
import { busEvent, sqsRecord } from './aws';

/** A small domain for tests of the framework: essays arrive and are graded. */
export const dated = defineFamily({ name: 'dated', summary: 'Has a date', schema: z.object({ date: z.string() }) });

export const essayArrived = defineEvent({
  type: 'essay.arrived',
  version: 1,
  summary: 'An essay lies in the store',
  subject: 'essay',
  families: [dated],
  schema: z.object({ essay: z.string(), words: z.number().int().positive(), date: z.string() }),
  example: { essay: 'e-1', words: 300, date: '2026-01-02' },
});

export const essayGraded = defineEvent({
  type: 'essay.graded',
  version: 1,
  summary: 'An essay has its grade',
  subject: 'essay',
  schema: z.object({ essay: z.string(), grade: z.number().min(0).max(1) }),
  example: { essay: 'e-1', grade: 0.5 },
});

export const gradeEssay = defineModule({
  name: 'grade-essay',
  summary: 'Grades an essay',
  on: [essayArrived],
  emits: [essayGraded],
  stores: { essays: 'write' },
  retry: { attempts: 3, firstDelaySeconds: 2, factor: 2, maxDelaySeconds: 300 },
});

/** A message with the event that essay `id` arrived; `data` replaces fields, rightly or wrongly. */
export function arrived(id: string, data: object = {}) {
  const event = busEvent(essayArrived.create({ ...essayArrived.example, essay: id }), { id });
  event.detail.data = { ...(event.detail.data as object), ...data };
  return sqsRecord(event, { messageId: `message-${id}` });
}
