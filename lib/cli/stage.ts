import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Draft, Event } from '../contract';
import type { Target } from '../target';

/** The AWS clients of one target. Each is made on first use. */
export interface Clients {
  readonly cloudformation: CloudFormationClient;
  readonly dynamodb: DynamoDBClient;
  readonly eventbridge: EventBridgeClient;
  readonly lambda: LambdaClient;
  readonly s3: S3Client;
  readonly sfn: SFNClient;
  readonly sqs: SQSClient;
}

/** An event as it passed over the bus. Its data is what the publisher wrote; the tail does not check it. */
export type SeenEvent = Event<string, Readonly<Record<string, unknown>>>;

export interface WaitOptions {
  /** @default 60 */
  readonly timeoutSeconds?: number;
  /** What is waited for, to finish the sentence "Waited 60 s for ...": `a deployed model`. */
  readonly describe: string;
}

/**
 * Where a project's demo plays: a deployed pipeline with somebody listening to its bus. `<project>/demo/story.ts`
 * exports as its default `(stage: Stage) => Promise<Record<string, unknown>>`; what it returns stands in the summary
 * and in `headrace demo --json`.
 */
export interface Stage {
  /** Absolute path of the project folder. */
  readonly project: string;
  readonly target: Target;
  /** Name of the deployed stack. */
  readonly stack: string;
  /** The stack outputs by their `OUTPUT` key: `outputs[OUTPUT.store('datasets')]`. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly clients: Clients;
  /** True with `--full`: the whole data set instead of the quick part of it. */
  readonly full: boolean;
  /** Aborted when the demo is being stopped. Give it to whatever takes long. */
  readonly signal: AbortSignal;
  /** Everything on the bus since the stage was set. Each loop over it begins with the first event. */
  readonly events: AsyncIterable<SeenEvent>;
  /**
   * The first event that fits, whether it has passed already or is still to come.
   *
   * @throws HeadraceError HR507 when none comes in time, or HR504 when a `run.failed` passes that the predicate
   * does not accept
   */
  waitFor(predicate: (event: SeenEvent) => boolean, options: WaitOptions): Promise<SeenEvent>;
  /** One line to the audience. Under `--json` it goes to stderr. */
  say(line: string): void;
  /** Puts facts on the bus, as `headrace publish` does. @returns the ids of the events, in order */
  publish(drafts: readonly Draft[]): Promise<readonly string[]>;
}

/** The default export of `<project>/demo/story.ts`. */
export type Story = (stage: Stage) => Promise<Record<string, unknown>>;
