import type { Graph } from '../../module';
import { flowOf } from './flow';

/** The graph as a Mermaid flowchart: boxes are modules, rounded ones workflows, labels the events between them. */
export function mermaid(graph: Graph): string {
  const { nodes, edges } = flowOf(graph);
  const id = (name: string) => name.replaceAll(/[^a-z0-9]/gi, '_');
  const boxes = nodes.map(({ id: name, kind }) => {
    if (kind === 'event') return `  ${id(name)}([${name}])`;
    return kind === 'workflow' ? `  ${id(name)}[["${name}"]]` : `  ${id(name)}[${name}]`;
  });
  const arrows = edges.map(({ from, to, types }) => `  ${id(from)} -->|${types.join('<br>')}| ${id(to)}`);
  const plain = arrows.map((arrow, i) => (edges[i]?.types.length === 0 ? arrow.replace('|| ', ' ') : arrow));
  return `${['flowchart LR', ...boxes, ...plain].join('\n')}\n`;
}
