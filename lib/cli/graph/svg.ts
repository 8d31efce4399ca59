import { type EdgeLabel, Graph as LayoutGraph, layout, type NodeLabel } from '@dagrejs/dagre';
import type { Graph } from '../../module';
import { type FlowEdge, type FlowNode, flowOf } from './flow';

/** Widths are estimated: an SVG is drawn where no font can be measured. */
const CHARACTER = 7.2;
const SMALL_CHARACTER = 6.2;
const LINE = 18;
const PADDING = 14;
const MARGIN = 24;

type Placed<T> = T & { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Point = { readonly x: number; readonly y: number };

/** The graph as a picture: modules and workflows as boxes, events as labelled arrows, from left to right. */
export function svg(graph: Graph): string {
  const flow = flowOf(graph);
  const space = new LayoutGraph({ multigraph: false });
  space.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 46, edgesep: 18, marginx: MARGIN, marginy: MARGIN });
  for (const node of flow.nodes) space.setNode(node.id, sizeOf(node));
  for (const edge of flow.edges) space.setEdge(edge.from, edge.to, labelSizeOf(edge));
  layout(space);
  const { width = 0, height = 0 } = space.graph() as { width?: number; height?: number };
  const nodes = flow.nodes.map((node) => ({ ...node, ...(space.node(node.id) as Placed<NodeLabel>) }));
  const edges = flow.edges.map((edge) => ({ ...edge, ...(space.edge(edge.from, edge.to) as EdgeLabel) }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="Pipeline graph">`,
    STYLE,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0.8 8 4 0 7.2z"/></marker></defs>',
    `<rect class="page" width="100%" height="100%"/>`,
    ...edges.map((edge) => drawLine(edge.points ?? [])),
    ...edges.map((edge) => drawLabel(edge, { x: edge.x ?? 0, y: edge.y ?? 0 })),
    ...nodes.map(drawNode),
    '</svg>',
    '',
  ].join('\n');
}

const STYLE = `<style>
text { font: 13px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1c2733; text-anchor: middle; }
.small { font-size: 11px; fill: #5a6b7b; }
.page { fill: #ffffff; }
.module { fill: #eef4fb; stroke: #7fa3c7; }
.workflow { fill: #f4f0fb; stroke: #9c86c9; }
.event { fill: #ffffff; stroke: #b9c4cf; stroke-dasharray: 3 3; }
.step { fill: #ffffff; stroke: #d3c8ea; }
.line { fill: none; stroke: #93a2b1; stroke-width: 1.3; }
.head { fill: #93a2b1; }
.label { font-size: 11px; fill: #33475b; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.name { font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4eaf0; } .small { fill: #9fb0c0; } .page { fill: #12181f; }
  .module { fill: #1b2937; stroke: #5b82aa; } .workflow { fill: #251f38; stroke: #8b74bd; }
  .event { fill: #12181f; stroke: #4a5966; } .step { fill: #1a1729; stroke: #4d4070; }
  .line { stroke: #64748a; } .head { fill: #64748a; } .label { fill: #c4d0dc; stroke: #12181f; }
}
</style>`;

function sizeOf({ id, kind, steps }: FlowNode): { width: number; height: number } {
  const stepWidth = Math.max(0, ...steps.map((step) => step.length * SMALL_CHARACTER + 2 * PADDING + 12));
  const width = Math.max(id.length * (kind === 'event' ? SMALL_CHARACTER : CHARACTER + 0.4) + 2 * PADDING, stepWidth);
  const height = kind === 'event' ? 28 : 36;
  return { width, height: steps.length > 0 ? height + steps.length * (LINE + 6) + 6 : height };
}

function labelSizeOf({ types }: FlowEdge): EdgeLabel {
  if (types.length === 0) return { width: 0, height: 0 };
  const longest = Math.max(...types.map((type) => type.length));
  return { width: longest * SMALL_CHARACTER + 10, height: types.length * LINE, labelpos: 'c' };
}

function drawNode(node: Placed<FlowNode>): string {
  const { id, kind, steps, x, y, width, height } = node;
  const left = x - width / 2;
  const top = y - height / 2;
  const corner = kind === 'event' ? height / 2 : 7;
  const box = `<rect class="${kind}" x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}" rx="${corner}"/>`;
  const nameY = steps.length > 0 ? top + 23 : y + 4.5;
  const name = `<text class="${kind === 'event' ? 'small' : 'name'}" x="${round(x)}" y="${round(nameY)}">${xml(id)}</text>`;
  const rows = steps.map((step, i) => {
    const rowY = top + 36 + i * (LINE + 6);
    return (
      `<rect class="step" x="${round(left + 10)}" y="${round(rowY)}" width="${round(width - 20)}" height="${LINE + 1}" rx="4"/>` +
      `<text class="small" x="${round(x)}" y="${round(rowY + 13)}">${xml(step)}</text>`
    );
  });
  return `<g>${box}${name}${rows.join('')}</g>`;
}

function drawLine(points: readonly Point[]): string {
  return `<path class="line" marker-end="url(#head)" d="${smooth(points)}"/>`;
}

function drawLabel({ types }: FlowEdge, { x, y }: Point): string {
  const first = y - ((types.length - 1) * 14) / 2 + 4;
  return types
    .map((type, i) => `<text class="label" x="${round(x)}" y="${round(first + i * 14)}">${xml(type)}</text>`)
    .join('');
}

/** A curve through the middles of the polyline's segments, which touches its ends. */
function smooth(points: readonly Point[]): string {
  const [start, ...rest] = points;
  const end = rest.at(-1);
  if (!start || !end) return '';
  const corners = rest.slice(0, -1).map((corner, i) => {
    const next = rest[i + 1] ?? end;
    const last = i === rest.length - 2;
    const to = last ? end : { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    return `Q${at(corner)} ${at(to)}`;
  });
  return [`M${at(start)}`, ...(corners.length > 0 ? corners : [`L${at(end)}`])].join(' ');
}

const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;

const round = (value: number) => Math.round(value * 10) / 10;

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
