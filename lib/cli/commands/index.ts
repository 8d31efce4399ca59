import type { Command } from '../command';
import { deploy } from './deploy';
import { down } from './down';
import { events } from './events';
import { graph } from './graph';
import { publish } from './publish';
import { up } from './up';

/** Words that stand before other words. */
export const GROUPS: Readonly<Record<string, string>> = {
  runs: 'Runs of the workflows',
  dlq: 'Dead letters: messages no attempt could handle',
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [up, deploy, down, publish, events, graph];
