import type { IIoHost } from '@aws-cdk/toolkit-lib';

export type OnProgress = (message: string) => void;

type Message = Parameters<IIoHost['notify']>[0];

interface Activity {
  readonly event?: {
    readonly ResourceStatus?: string;
    readonly LogicalResourceId?: string;
    readonly ResourceStatusReason?: string;
  };
  readonly progress?: { readonly completed?: number; readonly total?: number };
}

const STACK_ACTIVITY = 'CDK_TOOLKIT_I5502';

/** Turns what the CDK toolkit says into a few calm messages, and keeps the errors for the report. */
export class ProgressHost implements IIoHost {
  /** Error messages and the reasons of failed resources, in order. */
  public readonly errors: string[] = [];
  /** What is being done to the resources that are counted. */
  public phase = 'deploying';

  private readonly onProgress: OnProgress;
  private fifth = -1;

  constructor(onProgress: OnProgress) {
    this.onProgress = onProgress;
  }

  public async notify(message: Message): Promise<void> {
    if (message.level === 'error') this.errors.push(message.message);
    if (message.code === STACK_ACTIVITY) this.showActivity(message.data as Activity);
  }

  /** Answers every question with its default: what has to be asked is asked before the toolkit starts. */
  public async requestResponse<T>(message: { readonly defaultResponse: T }): Promise<T> {
    return message.defaultResponse;
  }

  private showActivity({ event, progress }: Activity): void {
    if (event?.ResourceStatus?.endsWith('_FAILED') && event.ResourceStatusReason) {
      this.errors.push(`${event.LogicalResourceId}: ${event.ResourceStatusReason}`);
    }
    const { completed, total } = progress ?? {};
    if (completed === undefined || !total) return;
    // A fifth at a time, so that a log stays readable.
    const fifth = Math.floor((completed / total) * 5);
    if (fifth !== this.fifth && completed > 0) this.onProgress(`${this.phase}: ${completed} of ${total} resources`);
    this.fifth = fifth;
  }
}
