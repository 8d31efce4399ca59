import { objectCreated } from '../../lib/contract';
import { defineModule, defineStep, defineWorkflow, on, run } from '../../lib/module';
import { consume, type Logic, type StepLogic, serveStep } from '../../lib/runtime';
import { dated, essayArrived, essayGraded } from '../support/essays';

// Checked by tsc: each @ts-expect-error is an error by itself when its line compiles.

const module = defineModule({
  name: 'grade-essay',
  summary: 'Grades an essay',
  on: [essayArrived, objectCreated('letters')],
  emits: [essayGraded],
  stores: { essays: 'read', marks: 'write' },
});

// A module emits what it declares, and nothing else.
consume(module, async () => [essayGraded.create({ essay: 'e-1', grade: 1 })]);
consume(module, async () => []);
// @ts-expect-error essay.arrived is not declared in `emits`
consume(module, async () => [essayArrived.create({ essay: 'e-1', words: 1, date: '2026-01-02' })]);
// @ts-expect-error a fact is made by its contract
consume(module, async () => [{ type: 'essay.graded' }]);

// Data is typed by the contract that made it.
essayGraded.create({ essay: 'e-1', grade: 1 });
// @ts-expect-error grade is a number
essayGraded.create({ essay: 'e-1', grade: 'A' });
// @ts-expect-error essay is missing
essayGraded.create({ grade: 1 });

// The event is a union over what the module listens to, told apart by its type.
export const narrowed: Logic<typeof module> = async (event) => {
  if (event.type === 'essay.arrived') {
    const words: number = event.data.words;
    // @ts-expect-error an arrived essay has no object
    event.data.object;
    return [essayGraded.create({ essay: event.data.essay, grade: words })];
  }
  const key: string = event.data.object.key;
  // @ts-expect-error an object has no words
  event.data.words;
  // @ts-expect-error the module does not listen to this type
  if (event.type === 'essay.lost') return [];
  return [essayGraded.create({ essay: key, grade: 1 })];
};

// A filter changes nothing about the type of the event.
const filtered = defineModule({
  name: 'praise-essay',
  summary: 'Praises a good essay',
  on: [on(essayGraded, { grade: [{ numeric: ['>=', 0.9] }] })],
  emits: [],
});
consume(filtered, async ({ data }) => {
  const grade: number = data.grade;
  // @ts-expect-error a graded essay has no words
  data.words;
  return grade > 0 ? [] : [];
});

// A family gives the fields its members share, whatever the type.
const listener = defineModule({ name: 'note-date', summary: 'Notes dates', on: [dated], emits: [] });
consume(listener, async ({ type, data }) => {
  const noted: string = type + data.date;
  // @ts-expect-error not every dated event has words
  data.words;
  return noted ? [] : [];
});

// Stores have the methods that the declared access allows; others are not there.
consume(module, async (_, { stores }) => {
  await stores.essays.get('a');
  await stores.marks.put('a', 'b');
  await stores.marks.get('a');
  // @ts-expect-error the store is read only
  await stores.essays.put('a', 'b');
  // @ts-expect-error the store is read only
  await stores.essays.replace('a', 'b', undefined);
  // @ts-expect-error the store is not declared
  await stores.letters.get('a');
  return [];
});

// Filters name fields of the data and match with lists.
on(essayGraded, { essay: ['e-1', { prefix: 'e-' }], grade: [{ numeric: ['>', 0] }] });
on(objectCreated('letters'), { object: { key: [{ suffix: '.png' }] } });
on(dated, { date: [{ exists: true }] });
// @ts-expect-error there is no such field
on(essayGraded, { words: [1] });
// @ts-expect-error a field is matched by a list
on(essayGraded, { grade: 1 });
// @ts-expect-error there is no such matcher
on(essayGraded, { grade: [{ above: 1 }] });
// @ts-expect-error an object has no such field
on(objectCreated('letters'), { object: { name: ['a'] } });

// Steps emit what they declare, too, and are no modules.
const step = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [essayGraded], stores: { marks: 'read' } });
export const marks: StepLogic<typeof step> = async (_, { stores, runs }) => {
  await runs.putJson('a', {});
  // @ts-expect-error the store is read only
  await stores.marks.putJson('a', {});
  return { outcome: 'marked', events: [essayGraded.create({ essay: 'e-1', grade: 1 })] };
};
serveStep(step, async () => ({ outcome: 'marked' }));
// @ts-expect-error a step says how it ended
serveStep(step, async () => ({}));
const stray = [essayArrived.create({ essay: 'e-1', words: 1, date: '2026-01-02' })];
// @ts-expect-error essay.arrived is not declared in `emits`
serveStep(step, async () => ({ outcome: 'marked', events: stray }));
// @ts-expect-error a module is no step
defineWorkflow({ name: 'grade-essays', summary: 'Grades', on: [dated], plan: [run(module)] });
