import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type AnyEvent, HeadraceError } from '../contract';
import { DEFAULT_MAX_HOPS, ENV, type StoreAccess, type WorkSettings } from '../module';
import { acknowledge, attributeText, wildcardRule } from './acknowledge';
import type { Bundles } from './bundle';
import { mayEmit, mayKeepLedger, mayLog, mayUseStore } from './permissions';
import type { Store } from './store';

/** What the functions of one pipeline share. */
export interface PipelineParts {
  readonly bus: EventBus;
  readonly ledger: Table;
  /** Stores by name. */
  readonly stores: ReadonlyMap<string, Store>;
  readonly bundles: Bundles;
  /** Every contract of the project: families are resolved among them. */
  readonly contracts: readonly AnyEvent[];
  /** Whether functions send traces to X-Ray. */
  readonly tracing: boolean;
  /** Longest chain of events that is handled. */
  readonly maxHops: number;
}

/** What a module and a step have in common. */
export interface Work extends WorkSettings {
  readonly name: string;
  readonly summary: string;
  readonly emits: readonly AnyEvent[];
  readonly stores: StoreAccess;
  /** Whether it handles the events of one subject in order. @default false */
  readonly ordered?: boolean;
}

export interface WorkFunctionProps {
  readonly work: Work;
  readonly parts: PipelineParts;
  /** Further variables of its environment. @default - none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further permissions. @default - none */
  readonly statements?: readonly PolicyStatement[];
  /** Whether it records in the ledger what it has done. @default true */
  readonly keepsLedger?: boolean;
}

/**
 * The function of a module or step, with its own log and a role that allows what the declaration says and no more.
 *
 * @throws HeadraceError HR602 when its code was not bundled
 */
export class WorkFunction extends Construct {
  public readonly function: LambdaFunction;
  public readonly logGroup: LogGroup;
  public readonly role: Role;

  constructor(scope: Construct, id: string, props: WorkFunctionProps) {
    super(scope, id);
    const { work, parts, environment = {}, keepsLedger = true } = props;
    const bundled = parts.bundles.get(work.name);
    if (!bundled) {
      throw new HeadraceError('HR602', {
        what: `There is no bundle of ${work.name}.`,
        allowed: [...parts.bundles.keys()].join(', ') || 'none was made',
        next: 'Leave `bundles` to the Pipeline, or bundle the whole project.',
      });
    }
    this.logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = this.makeRole(props);
    this.function = new LambdaFunction(this, 'Function', {
      description: work.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundled.folder),
      memorySize: work.memoryMb,
      timeout: Duration.seconds(work.timeoutSeconds),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: parts.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      role: this.role,
      environment: {
        [ENV.bus]: parts.bus.eventBusName,
        ...(keepsLedger && { [ENV.ledger]: parts.ledger.tableName }),
        [ENV.codeVersion]: bundled.version,
        ...(parts.maxHops !== DEFAULT_MAX_HOPS && { [ENV.maxHops]: String(parts.maxHops) }),
        ...Object.fromEntries(
          Object.keys(work.stores).map((name) => [ENV.store(name), storeOf(parts, name).bucket.bucketName]),
        ),
        ...environment,
      },
    });
    this.acknowledgeRules(props);
  }

  private acknowledgeRules({ work, parts }: WorkFunctionProps): void {
    for (const name of Object.keys(work.stores)) {
      acknowledge(this.role, {
        [wildcardRule(`${attributeText(storeOf(parts, name).bucket, 'Arn')}/*`)]:
          `${work.name} declares the store ${name}: it may use every object of this one bucket, and delete none.`,
      });
    }
    acknowledge(this.function, {
      'Serverless-LambdaDLQ':
        'Never invoked asynchronously: an event source mapping, a state machine or a URL waits for the answer.',
    });
    if (parts.tracing) {
      acknowledge(this.role, { [wildcardRule('*')]: 'X-Ray has no rights on single resources.' });
      return;
    }
    acknowledge(this.function, {
      'Serverless-LambdaTracing':
        'Every event and log line carries the correlation id and trace context; `tracing` of the Pipeline turns X-Ray on.',
    });
  }

  /**
   * Policies stand in the role itself, not in a resource beside it: the function cannot start without them.
   * The trust has no aws:SourceArn: Lambda does not send one when it assumes an execution role; handing the role
   * to a function takes iam:PassRole in this account.
   */
  private makeRole({ work, parts, statements = [], keepsLedger = true }: WorkFunctionProps): Role {
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Work: new PolicyDocument({
          statements: [
            mayLog(this.logGroup),
            ...(keepsLedger ? [mayKeepLedger(parts.ledger, work.name, work.ordered ?? false)] : []),
            ...mayEmit(parts.bus, work.emits),
            ...Object.entries(work.stores).flatMap(([name, access]) =>
              mayUseStore(storeOf(parts, name).bucket, access),
            ),
            ...statements,
          ],
        }),
      },
    });
  }
}

function storeOf(parts: PipelineParts, name: string): Store {
  const store = parts.stores.get(name);
  if (store) return store;
  throw new HeadraceError('HR601', {
    what: `There is no store ${name}.`,
    allowed: [...parts.stores.keys()].join(', '),
    next: 'Leave the stores to the Pipeline, which makes every store that is named.',
  });
}
