import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib/core';
import { Pipeline } from '../../lib/constructs';
import { type AnyEvent, objectCreated } from '../../lib/contract';
import {
  type Cycle,
  cyclePath,
  defineModule,
  defineStep,
  defineWorkflow,
  discover,
  graphOf,
  type Module,
  on,
  type Project,
  refuseCycles,
  run,
  runFailed,
  type Workflow,
} from '../../lib/module';
import { dated, essayArrived, essayGraded } from '../support/essays';
import { refusal } from '../support/refusal';

const broken = (name: string) => discover(join(__dirname, '..', 'fixtures', 'broken', name));

/** A project of these declarations. */
function projectOf(...declared: readonly (Module | Workflow)[]): Project {
  const found = <T extends Module | Workflow>(kind: T['kind']) =>
    declared.filter((each): each is T => each.kind === kind).map((each) => ({ declared: each, file: '' }));
  const contracts: AnyEvent[] = [essayArrived, essayGraded, runFailed];
  return { root: '', steps: [], modules: found<Module>('module'), workflows: found<Workflow>('workflow'), contracts };
}

type Options = Parameters<typeof defineModule>[0];
const moduleOf = (name: string, options: Pick<Options, 'on' | 'emits'> & Partial<Options>): Module =>
  defineModule({ name, summary: 'For a test', ...options }) as Module;

const pathsOf = (...declared: readonly (Module | Workflow)[]) => graphOf(projectOf(...declared)).cycles.map(cyclePath);

const grade = moduleOf('grade-essay', { on: [essayArrived], emits: [essayGraded] });
const write = moduleOf('write-essay', { on: [essayGraded], emits: [essayArrived] });

describe('a circle', () => {
  test('is a module that hears what it says', () => {
    const own = moduleOf('copy-essay', { on: [essayArrived], emits: [essayArrived] });
    expect(pathsOf(own)).toEqual(['copy-essay -> essay.arrived -> copy-essay']);
  });

  test('is told by its members in their order, with the events between them', () => {
    const [cycle] = graphOf(projectOf(grade, write)).cycles;
    expect(cycle).toEqual<Cycle>({
      members: ['grade-essay', 'write-essay'],
      events: [['essay.graded'], ['essay.arrived']],
      reasons: [],
    });
  });

  test('closes through a family', () => {
    const hear = moduleOf('date-essay', { on: [dated], emits: [essayArrived] });
    expect(pathsOf(hear)).toEqual(['date-essay -> essay.arrived -> date-essay']);
  });

  test('is not broken by a filter on the data', () => {
    const some = moduleOf('copy-essay', { on: [on(essayArrived, { essay: ['e-1'] })], emits: [essayArrived] });
    expect(pathsOf(some)).toHaveLength(1);
  });

  test('closes through the steps of a workflow, and through its failures', () => {
    const step = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [essayArrived] });
    const plan = [run(step)];
    const marks = defineWorkflow({ name: 'mark-essays', summary: 'Marks', on: [essayArrived], plan });
    const mends = defineWorkflow({ name: 'mend-runs', summary: 'Mends', on: [runFailed], plan });
    expect(pathsOf(marks)).toEqual(['mark-essays -> essay.arrived -> mark-essays']);
    expect(pathsOf(mends)).toEqual(['mend-runs -> run.failed -> mend-runs']);
  });

  test('closes through a store that a module writes and hears whole', () => {
    const options = { on: [objectCreated('essays')], emits: [] };
    expect(pathsOf(moduleOf('copy-essay', { ...options, stores: { essays: 'write' } }))).toEqual([
      'copy-essay -> objects in essays -> copy-essay',
    ]);
    expect(pathsOf(moduleOf('read-essay', { ...options, stores: { essays: 'read' } }))).toEqual([]);
    expect(pathsOf(moduleOf('move-essay', { ...options, stores: { books: 'write' } }))).toEqual([]);
  });

  test('closes through a store that another module of the chain, or a step, writes', () => {
    const scan = moduleOf('scan-essay', { on: [objectCreated('essays')], emits: [essayArrived] });
    const keep = moduleOf('keep-essay', { on: [essayArrived], emits: [], stores: { essays: 'write' } });
    expect(pathsOf(scan, keep)).toEqual([
      'keep-essay -> objects in essays -> scan-essay -> essay.arrived -> keep-essay',
    ]);
    const step = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [], stores: { essays: 'write' } });
    const runs = defineWorkflow({ name: 'mark-essays', summary: 'Marks', on: [essayArrived], plan: [run(step)] });
    expect(pathsOf(scan, runs)).toHaveLength(1);
  });

  test('does not close through a store of which only some objects are heard', () => {
    const some = on(objectCreated('essays'), { object: { key: [{ prefix: 'inbox/' }] } });
    expect(pathsOf(moduleOf('copy-essay', { on: [some], emits: [], stores: { essays: 'write' } }))).toEqual([]);
  });

  test('is listed once, however it is entered, beside the others', () => {
    const both = moduleOf('copy-essay', { on: [essayArrived], emits: [essayArrived, essayGraded] });
    expect(pathsOf(write, grade, both).toSorted()).toEqual([
      'copy-essay -> essay.arrived -> copy-essay',
      'copy-essay -> essay.arrived -> grade-essay -> essay.graded -> write-essay -> essay.arrived -> copy-essay',
      'copy-essay -> essay.graded -> write-essay -> essay.arrived -> copy-essay',
      'grade-essay -> essay.graded -> write-essay -> essay.arrived -> grade-essay',
    ]);
  });

  test('is none where events only go forward', () => {
    const end = moduleOf('file-essay', { on: [essayGraded], emits: [] });
    expect(pathsOf(grade, end)).toEqual([]);
    expect(pathsOf(moduleOf('read-essay', { on: [runFailed], emits: [essayArrived] }), grade)).toEqual([]);
  });
});

describe('a circle that nobody ends', () => {
  test('is refused with its path', () => {
    const error = refusal(() => refuseCycles(projectOf(grade, write)));
    expect(error.code).toBe('HR206');
    expect(error.message).toContain('grade-essay -> essay.graded -> write-essay -> essay.arrived -> grade-essay');
  });

  test('is let through as soon as one of its members says what ends it', () => {
    const ends = moduleOf('write-essay', { on: [essayGraded], emits: [essayArrived], cycle: 'three drafts at most' });
    const project = projectOf(grade, ends);
    expect(() => refuseCycles(project)).not.toThrow();
    expect(graphOf(project).cycles[0]?.reasons).toEqual([{ name: 'write-essay', reason: 'three drafts at most' }]);
  });

  test('is let through when a workflow in it says so', () => {
    const step = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [] });
    const options = { name: 'mend-runs', summary: 'Mends', on: [runFailed], plan: [run(step)] };
    expect(refusal(() => refuseCycles(projectOf(defineWorkflow(options)))).code).toBe('HR206');
    const ends = defineWorkflow({ ...options, cycle: 'a run is mended once' });
    expect(() => refuseCycles(projectOf(ends))).not.toThrow();
  });

  test('is refused beside others that somebody ends, and only it is named', () => {
    const error = refusal(() => refuseCycles(broken('circle')));
    expect(error.message).toContain(
      'answer-question -> answer.given -> hold-talk -> question.asked -> answer-question',
    );
    expect(error.message).not.toContain('judge-answer');
  });

  test.each(['circle', 'circle-by-store'])('does not become a stack: %s', (name) => {
    const project = broken(name);
    const stack = new Stack(new App(), 'Stack');
    expect(refusal(() => new Pipeline(stack, 'Pipeline', { project })).code).toBe('HR206');
  });

  test.each([
    ['nothing', ''],
    ['a module', 'module'],
  ])('is refused when the reason is an empty text, for %s', (_, kind) => {
    const step = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [] });
    const declare = () =>
      kind === 'module'
        ? moduleOf('copy-essay', { on: [essayArrived], emits: [essayArrived], cycle: '' })
        : defineWorkflow({ name: 'mark-essays', summary: 'M', on: [essayArrived], plan: [run(step)], cycle: '' });
    expect(refusal(declare).message).toContain('must say in a sentence what ends the circle');
  });
});
