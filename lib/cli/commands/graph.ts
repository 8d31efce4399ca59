import { command } from '../command';

export const graph = command({
  name: 'graph',
  summary: 'Show who says what to whom',
  details:
    'Computed from the declarations in lambdas/, workflows/ and events/. Needs no target. Circles, in which modules feed each other, are listed below it with what brings each to an end.',
  options: {
    format: { kind: 'choice', choices: ['text', 'mermaid', 'svg'], summary: 'how to draw it (default: text)' },
  },
  examples: ['npx headrace graph', 'npx headrace graph --format svg > pipeline.svg', 'npx headrace graph --json'],
  async run({ options, out }) {
    const { discover, graphOf } = require('../../module') as typeof import('../../module');
    const found = graphOf(discover(options.project));
    if (options.json) return out.result(found, () => []);
    if (options.format === 'svg') {
      const { svg } = require('../graph/svg') as typeof import('../graph/svg');
      return out.raw(svg(found));
    }
    if (options.format === 'mermaid') {
      const { mermaid } = require('../graph/mermaid') as typeof import('../graph/mermaid');
      return out.raw(mermaid(found));
    }
    const { tree } = require('../graph/tree') as typeof import('../graph/tree');
    const { cycleLines } = require('../graph/cycles') as typeof import('../graph/cycles');
    const circles = cycleLines(found.cycles, out.style);
    const lines = [...tree(found, out.style, out.width), ...(circles.length > 0 ? ['', ...circles] : [])];
    for (const line of lines) out.line(line);
  },
});
