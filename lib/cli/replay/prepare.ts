import type { AwsEvent } from '../../contract';
import { HeadraceError } from '../../contract';
import { Journal, type Window } from '../../journal';
import { discover, JOURNAL, OUTPUT, type Project } from '../../module';
import { S3Store } from '../../runtime/store';
import type { Pipeline } from '../pipeline';
import { ledgerStates } from './ledger-states';
import type { Replay, Sources } from './plan';
import { replayName } from './replay-name';
import { subscribersOf } from './subscribers';
import { windowOf } from './window';

export interface ReplayOptions {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly type: string | undefined;
  readonly subject: string | undefined;
  readonly only: string | undefined;
  readonly name: string | undefined;
  readonly again: boolean;
  readonly emit: boolean;
}

/** What can be told from the command line alone. */
export interface Wanted {
  readonly window: Window;
  readonly name: string;
}

/**
 * @throws HeadraceError HR501 for wrong use: no window, or `--again` for everybody; HR520 for a window out of reach
 */
export function readOptions(options: ReplayOptions, now: Date): Wanted {
  const window = windowOf(options, now);
  if (options.again && options.only === undefined) {
    throw new HeadraceError('HR501', {
      what: '--again has one subscriber handle once more what it has done. Which one?',
      next: 'Add --only <module>, or leave --again out: then only what was never handled is.',
    });
  }
  return { window, name: replayName(options.name, now) };
}

export interface Prepared {
  readonly replay: Replay;
  readonly sources: Sources;
  /** Subscribers that are left out because they aren't deployed. */
  readonly missing: readonly string[];
}

/**
 * Finds journal, ledger and subscribers of the deployed pipeline.
 *
 * @throws HeadraceError HR521, HR502, HR523 when there is no subscriber of that name, none deployed, or no journal
 */
export function prepare(
  { window, name }: Wanted,
  options: Pick<ReplayOptions, 'type' | 'subject' | 'only' | 'again' | 'emit'>,
  { pipeline, folder }: { readonly pipeline: Pipeline; readonly folder: string },
): Prepared {
  const project = discover(folder);
  const { chosen, missing } = subscribersOf(project, pipeline.outputs, options.only);
  const store = new S3Store(pipeline.clients.s3, journalBucket(pipeline));
  return {
    replay: {
      name,
      filter: { ...window, type: options.type, subject: options.subject },
      subscribers: chosen,
      again: options.again,
      emit: options.emit,
    },
    sources: {
      journal: new Journal(store, { awsEvents: awsEventsOf(project) }),
      states: ledgerStates(pipeline.clients.dynamodb, pipeline.output(OUTPUT.ledger)),
      now: () => new Date(),
    },
    missing,
  };
}

function journalBucket({ outputs }: Pick<Pipeline, 'outputs'>): string {
  const bucket = outputs[OUTPUT.store(JOURNAL)];
  if (bucket !== undefined && outputs[OUTPUT.queue(JOURNAL)] !== undefined) return bucket;
  throw new HeadraceError('HR523', {
    what: 'The deployed pipeline keeps no journal, so there is nothing to replay.',
    next: 'Take `journal: false` of the Pipeline away, if it is there, and npx headrace deploy: events are kept from then on.',
  });
}

/** Events of AWS that somebody listens to, by the names the project gives them. */
function awsEventsOf({ modules, workflows }: Project): AwsEvent[] {
  return [...modules, ...workflows]
    .flatMap(({ declared }) => declared.on)
    .flatMap(({ listenable }) => (listenable.kind === 'aws-event' ? [listenable] : []));
}
