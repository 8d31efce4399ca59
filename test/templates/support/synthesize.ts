import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { type Bundles, Pipeline, type PipelineProps } from '../../../lib/constructs';
import { discover, JOURNAL, type Project } from '../../../lib/module';

export const ROOT = join(__dirname, '..', '..', '..');

/** One module listening to a fact and to uploads, one workflow of two states. */
export const smallProject = () => discover(join(ROOT, 'test', 'fixtures', 'small-project'));

/** The reference pipeline. */
export const wholeProject = () => discover(ROOT);

/** Code that stands for every handler, so that a template does not depend on what the handlers do. */
export function stubBundles({ modules, steps, workflows }: Project): Bundles {
  const folder = join(mkdtempSync(join(tmpdir(), 'headrace-stub-')), 'stub');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = async () => {};\n');
  const names = [JOURNAL, ...[...modules, ...steps, ...workflows].map(({ declared }) => declared.name)];
  return new Map(names.map((name) => [name, { folder, bytes: 40, version: 'stub' }]));
}

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  readonly Properties: any;
  readonly DeletionPolicy?: string;
}

export interface Synthesized {
  readonly stack: Stack;
  readonly pipeline: Pipeline;
  readonly template: Template;
  /** Resources of a type, by logical id. */
  all(type: string): Readonly<Record<string, Resource>>;
}

/** Synthesizes a project with stubs for code. */
export function synthesize(project: Project, props: Partial<PipelineProps> = {}, id = 'test'): Synthesized {
  const app = new App({ analyticsReporting: false });
  const stack = new Stack(app, id);
  const pipeline = new Pipeline(stack, 'Pipeline', { project, bundles: stubBundles(project), ...props });
  const template = Template.fromStack(stack);
  return {
    stack,
    pipeline,
    template,
    all: (type) => template.findResources(type) as Readonly<Record<string, Resource>>,
  };
}
