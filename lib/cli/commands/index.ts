import type { Command } from '../command';
import { demo } from './demo';
import { deploy } from './deploy';
import { dlqDiscard } from './dlq-discard';
import { dlqDryRun } from './dlq-dry-run';
import { dlqEdit } from './dlq-edit';
import { dlqList } from './dlq-list';
import { dlqRedrive } from './dlq-redrive';
import { dlqShow } from './dlq-show';
import { doctor } from './doctor';
import { down } from './down';
import { events } from './events';
import { graph } from './graph';
import { publish } from './publish';
import { replay } from './replay';
import { runsList } from './runs-list';
import { runsResume } from './runs-resume';
import { runsShow } from './runs-show';
import { up } from './up';
import { upload } from './upload';

/** Words that stand before other words. */
export const GROUPS: Readonly<Record<string, string>> = {
  runs: 'Runs of the workflows',
  dlq: 'Dead letters: messages no attempt could handle',
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  demo,
  up,
  deploy,
  down,
  publish,
  upload,
  events,
  runsList,
  runsShow,
  runsResume,
  dlqList,
  dlqShow,
  dlqEdit,
  dlqDryRun,
  dlqRedrive,
  dlqDiscard,
  replay,
  graph,
  doctor,
];
