import * as z from 'zod';
import { defineAwsEvent, defineEvent, objectCreated } from '../../lib/contract';
import { membersOf, on, ruleFor, typesOf } from '../../lib/module';
import { dated, essayArrived, essayGraded } from '../support/essays';
import { refusal } from '../support/refusal';

const contracts = [essayArrived, essayGraded];

test('a contract becomes a rule on its type', () => {
  expect(ruleFor(on(essayGraded), contracts)).toEqual({
    bus: 'pipeline',
    pattern: { 'detail-type': ['essay.graded'] },
  });
});

test('a filter becomes a rule on the data', () => {
  expect(ruleFor(on(essayGraded, { grade: [{ numeric: ['>=', 0.9] }] }), contracts).pattern).toEqual({
    'detail-type': ['essay.graded'],
    detail: { data: { grade: [{ numeric: ['>=', 0.9] }] } },
  });
});

test('a family becomes a rule on the types of its members', () => {
  const letter = defineEvent({
    type: 'letter.sent',
    version: 1,
    summary: 'A letter is on its way',
    subject: 'date',
    families: [dated],
    schema: z.object({ date: z.string() }),
    example: { date: '2026-01-02' },
  });
  const all = [...contracts, letter];
  expect(membersOf(dated, all)).toEqual([essayArrived, letter]);
  expect(ruleFor(on(dated), all).pattern).toEqual({ 'detail-type': ['essay.arrived', 'letter.sent'] });
});

test('two versions of a member are one type', () => {
  const later = defineEvent({
    type: 'essay.arrived',
    version: 2,
    summary: 'An essay lies in the store',
    subject: 'date',
    families: [dated],
    schema: z.object({ date: z.string() }),
    example: { date: '2026-01-02' },
  });
  expect(typesOf({ listenable: dated }, [essayArrived, later])).toEqual(['essay.arrived']);
});

test('fails when a family has no members', () => {
  const error = refusal(() => ruleFor(on(dated), [essayGraded]));
  expect(error.code).toBe('HR205');
  expect(error.message).toContain('family dated');
});

test('an object of a store becomes a rule on the default bus that names the store', () => {
  const where = { object: { key: [{ suffix: '.png' }] } };
  expect(ruleFor(on(objectCreated('drafts'), where), contracts)).toEqual({
    bus: 'default',
    store: 'drafts',
    pattern: { source: ['aws.s3'], 'detail-type': ['Object Created'], detail: where },
  });
});

test('an AWS event that is about no store names none', () => {
  const stopped = defineAwsEvent({
    type: 'ecs.task-stopped',
    source: 'aws.ecs',
    detailType: 'ECS Task State Change',
    summary: 'A task stopped',
    schema: z.object({}),
    subject: () => 'task',
  });
  expect(ruleFor(on(stopped), contracts)).toEqual({
    bus: 'default',
    pattern: { source: ['aws.ecs'], 'detail-type': ['ECS Task State Change'] },
  });
});
