import { join } from 'node:path';
import { discover, graphOf, runFailed } from '../../lib/module';
import { refusal } from '../support/refusal';

const fixture = (name: string) => join(__dirname, '..', 'fixtures', name);

describe('discovery', () => {
  const project = discover(fixture('essays'));

  test('finds modules, steps and workflows without a list of names', () => {
    const names = (found: readonly { declared: { name: string } }[]) => found.map(({ declared }) => declared.name);
    expect(names(project.modules)).toEqual(['scan-letter']);
    expect(names(project.steps)).toEqual(['mark-essay']);
    expect(names(project.workflows)).toEqual(['grade-essays']);
    expect(project.root).toBe(fixture('essays'));
  });

  test('keeps the file of each declaration', () => {
    expect(project.modules[0]?.file).toBe(join(project.root, 'lambdas', 'scan-letter', 'module.ts'));
    expect(project.workflows[0]?.file).toBe(join(project.root, 'workflows', 'grade-essays.ts'));
  });

  test('knows every contract once, by type, then version: in events/, in a module folder, and its own', () => {
    expect(project.contracts.map(({ dataschema }) => dataschema)).toEqual([
      'urn:headrace:essay.arrived:1',
      'urn:headrace:essay.arrived:2',
      'urn:headrace:essay.graded:1',
      'urn:headrace:letter.scanned:1',
      'urn:headrace:run.failed:1',
    ]);
    expect(project.contracts).toContain(runFailed);
  });
});

describe('discovery fails when', () => {
  test.each([
    ['there is no lambdas/', 'essays/events', 'HR506', /has no lambdas\/. Got '.*essays\/events'/],
    ['a module folder has no handler', 'broken/no-handler', 'HR202', /folder grade-essay has no handler\.ts\./],
    ['folder and name differ', 'broken/wrong-name', 'HR202', /Got 'mark-essay'\. Allowed: grade-essay\./],
    [
      'module.ts declares nothing',
      'broken/no-declaration',
      'HR202',
      /Got 'no default export'\. Allowed: module or step/,
    ],
    ['a workflow file declares a step', 'broken/step-as-workflow', 'HR202', /Got 'step'\. Allowed: workflow\./],
    [
      'a module and a workflow have one name',
      'broken/repeated-name',
      'HR203',
      /named grade-essay: .*module\.ts and .*workflows/,
    ],
    [
      'a plan calls a step that has no folder',
      'broken/lost-step',
      'HR204',
      /mark-essays calls step mark-essay, which has no/,
    ],
    [
      'a file imports what is not there',
      'broken/lost-import',
      'HR202',
      /grade-essay\/module\.ts cannot be loaded: Cannot find module '\.\/nowhere'/,
    ],
    [
      'a filter names a field there is none',
      'broken/bad-filter',
      'HR201',
      /It stands in \S+broken\/bad-filter\/lambdas\/grade-essay\/module\.ts:7/,
    ],
    [
      'two contracts claim a type and version',
      'broken/one-type-twice',
      'HR107',
      /Two contracts claim essay\.graded version 1/,
    ],
  ])('%s', (_, name, code, told) => {
    const error = refusal(() => discover(fixture(name)));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(told);
  });
});

describe('the graph', () => {
  const graph = graphOf(discover(fixture('essays')));

  test('resolves families and shows the steps of a workflow', () => {
    expect(graph.modules).toEqual([
      {
        name: 'grade-essays',
        kind: 'workflow',
        summary: 'Grades whatever is dated',
        on: ['essay.arrived', 'letter.scanned'],
        emits: ['essay.graded', 'run.failed'],
        steps: [{ name: 'mark-essay', emits: ['essay.graded'] }],
      },
      {
        name: 'scan-letter',
        kind: 'module',
        summary: 'Scans a letter; its contract lies in its own folder',
        on: ['s3.object-created'],
        emits: ['letter.scanned'],
        steps: [],
      },
    ]);
  });

  test('names the producers and consumers of every event', () => {
    expect(graph.events.find(({ type }) => type === 'letter.scanned')).toEqual({
      type: 'letter.scanned',
      version: 1,
      summary: 'A letter was scanned',
      producers: ['scan-letter'],
      consumers: ['grade-essays'],
    });
    expect(graph.events.find(({ type }) => type === 'essay.graded')?.consumers).toEqual([]);
    expect(graph.events).toHaveLength(5);
  });
});
