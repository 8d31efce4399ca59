import type { Graph, GraphModule } from '../../module';
import { counted } from '../counted';
import type { Style } from '../output';
import { cut } from '../table';

interface Walk {
  readonly graph: Graph;
  readonly style: Style;
  readonly width: number;
  /** Modules already written out; further mentions are one line. */
  readonly seen: Set<string>;
  readonly lines: string[];
}

/**
 * The pipeline as a tree that follows the events: an event, who receives it, what that one emits, and so on. A module
 * is written out once, where it first comes up.
 */
export function tree(graph: Graph, style: Style, width = 100): string[] {
  const emitted = new Set(graph.modules.flatMap(({ emits }) => emits));
  const entries = [...new Set(graph.modules.flatMap(({ on }) => on))].filter((type) => !emitted.has(type));
  const walk: Walk = { graph, style, width, seen: new Set(), lines: [] };
  for (const type of entries) {
    walk.lines.push(style.bold(type));
    writeReceivers(walk, type, '');
  }
  const left = graph.modules.filter(({ name }) => !walk.seen.has(name));
  for (const module of left) writeModule(walk, module, { first: '', rest: '' });
  return [...walk.lines, '', style.dim(summary(graph))];
}

function summary({ modules, events }: Graph): string {
  const workflows = modules.filter(({ kind }) => kind === 'workflow');
  const steps = workflows.reduce((sum, { steps: each }) => sum + each.length, 0);
  return [
    counted(modules.length - workflows.length, 'module'),
    `${counted(workflows.length, 'workflow')} of ${counted(steps, 'step')}`,
    counted(events.length, 'event'),
  ].join(', ');
}

interface Indent {
  readonly first: string;
  readonly rest: string;
}

function writeReceivers(walk: Walk, type: string, indent: string): void {
  const receivers = walk.graph.modules.filter(({ on }) => on.includes(type));
  receivers.forEach((module, i) => {
    const last = i === receivers.length - 1;
    writeModule(walk, module, {
      first: `${indent}${last ? '└─ ' : '├─ '}`,
      rest: `${indent}${last ? '   ' : '│  '}`,
    });
  });
}

function writeModule(walk: Walk, module: GraphModule, { first, rest }: Indent): void {
  const { style, seen, lines } = walk;
  const name = module.kind === 'workflow' ? style.magenta(module.name) : style.cyan(module.name);
  if (seen.has(module.name)) {
    lines.push(`${style.dim(first)}${name} ${style.dim('(above)')}`);
    return;
  }
  seen.add(module.name);
  const room = Math.max(20, walk.width - first.length - module.name.length - 2);
  lines.push(`${style.dim(first)}${name}  ${style.dim(cut(module.summary, room))}`);
  const facts = emittedBy(module);
  facts.forEach(({ type, by }, i) => {
    const last = i === facts.length - 1;
    const branch = style.dim(`${rest}${last ? '└▸ ' : '├▸ '}`);
    lines.push(`${branch}${type}${by ? style.dim(`  by ${by}`) : ''}`);
    writeReceivers(walk, type, `${rest}${last ? '   ' : '│  '}`);
  });
}

/** What a module emits, in the order of its steps, each with the step it comes from. */
function emittedBy({ emits, steps }: GraphModule): { readonly type: string; readonly by?: string }[] {
  return emits.map((type) => {
    const step = steps.find((each) => each.emits.includes(type));
    return step ? { type, by: step.name } : { type };
  });
}
