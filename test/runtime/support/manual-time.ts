import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type Platform, runOn } from '../../../lib/runtime';
import { NOW } from '../../support/clock';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Surroundings whose time passes only when it is told to; everything else is that of the process. */
export class ManualTime {
  private time: number = NOW.getTime();
  private sleepers: Sleeper[] = [];
  private ids = 0;

  public now(): number {
    return this.time;
  }

  /** Runs `fn` in these surroundings, with the clients of the process or those given in their place. */
  public run<T>(fn: () => Promise<T>, clients: Partial<Platform['clients']> = {}): Promise<T> {
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const platform: Platform = {
      now: () => this.time,
      random: () => 0.999,
      uuid: () => `id-${++this.ids}`,
      sleep: (ms, signal) => this.sleep(ms, signal),
      env: (name) => process.env[name],
      log: () => silent,
      count: () => undefined,
      clients: {
        dynamodb: new DynamoDBClient({}),
        eventbridge: new EventBridgeClient({}),
        s3: new S3Client({}),
        sfn: new SFNClient({}),
        sqs: new SQSClient({}),
        ...clients,
      },
    };
    return runOn(platform, fn);
  }

  /** Lets so many milliseconds pass; who slept until then has done its work afterwards. */
  public async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await quiet();
      const [next] = this.sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until);
      if (!next) break;
      this.time = next.until;
      this.sleepers = this.sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.time = end;
  }

  private sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.time + ms, wake: resolve };
      this.sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.sleepers = this.sleepers.filter((each) => each !== sleeper);
        reject(new DOMException('aborted', 'AbortError'));
      });
    });
  }
}

/** Until all that is under way in memory has come to rest. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}
