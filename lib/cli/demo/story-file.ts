import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import type { Story } from '../stage';

/** The project's own story. @throws HeadraceError HR506 when it has none */
export function loadStory(project: string): Story {
  const file = join(project, 'demo', 'story.ts');
  const story = existsSync(file) ? (require(file) as { default?: unknown }).default : undefined;
  if (typeof story === 'function') return story as Story;
  throw new HeadraceError('HR506', {
    what: 'The project has no demo.',
    got: existsSync(file) ? `${file} without a default export that is a function` : `no ${file}`,
    allowed: 'demo/story.ts with `export default async (stage: Stage) => ({ ... })`',
    next: 'npx headrace up starts the pipeline without a story.',
  });
}
