import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { Policy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ArnFormat, Aws, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  constructId,
  ENV,
  itemsKey,
  OUTPUT,
  resultsPrefix,
  runFailed,
  starterOf,
  stepsOf,
  type Workflow,
} from '../module';
import { acknowledge, attributeText, wildcardRule } from './acknowledge';
import { WorkflowAlarms } from './alarms';
import { definitionOf } from './definition';
import { output } from './outputs';
import { mayEmit } from './permissions';
import { Subscription } from './subscription';
import type { PipelineParts } from './work-function';

export interface WorkflowMachineProps {
  readonly workflow: Workflow;
  readonly parts: PipelineParts;
  /** Functions of the steps, by step name. */
  readonly functions: ReadonlyMap<string, IFunction>;
  /** Bucket of the runs store. */
  readonly runs: Bucket;
  /** Told when one of the alarms goes off. @default - alarms are only shown */
  readonly alarmAction?: IAlarmAction;
}

/** Objects of the runs store that the state machine itself reads and writes. */
const ITEM_LISTS = itemsKey('*', '*');
const ITEM_RESULTS = `${resultsPrefix('*', '*')}/*`;

/** A workflow: its state machine, and the subscription that starts a run for each event. */
export class WorkflowMachine extends Construct {
  public readonly machine: StateMachine;
  public readonly starter: Subscription;
  public readonly alarms: WorkflowAlarms;

  constructor(scope: Construct, id: string, props: WorkflowMachineProps) {
    super(scope, id);
    const { workflow, parts, alarmAction } = props;
    const watch = alarmAction && { alarmAction };
    this.machine = this.makeMachine(props);
    this.starter = new Subscription(this, 'Starter', {
      module: starterOf(workflow),
      parts,
      environment: { [ENV.stateMachineArn]: this.machine.stateMachineArn },
      statements: [
        new PolicyStatement({
          sid: 'StartRuns',
          actions: ['states:StartExecution'],
          resources: [this.machine.stateMachineArn],
        }),
      ],
      ...watch,
    });
    this.alarms = new WorkflowAlarms(this, 'Alarms', {
      name: workflow.name,
      machine: this.machine,
      ...(alarmAction && { action: alarmAction }),
    });
    output(this, OUTPUT.stateMachine(workflow.name), this.machine.stateMachineArn);
  }

  private makeMachine({ workflow, parts, functions, runs }: WorkflowMachineProps): StateMachine {
    const called = [...new Set(stepsOf(workflow))].map(({ name }) => [name, functions.get(name)!] as const);
    const substitutions = {
      Partition: Aws.PARTITION,
      Bus: parts.bus.eventBusName,
      RunsBucket: runs.bucketName,
      ...Object.fromEntries(called.map(([name, { functionArn }]) => [constructId(name), functionArn])),
    };
    const definition = definitionOf(workflow, {
      functionOf: ({ name }) => placeholder(constructId(name)),
      bus: placeholder('Bus'),
      runsBucket: placeholder('RunsBucket'),
      partition: placeholder('Partition'),
    });
    const machine = new StateMachine(this, 'StateMachine', {
      comment: workflow.summary,
      definitionBody: DefinitionBody.fromString(JSON.stringify(definition, null, 1)),
      definitionSubstitutions: substitutions,
      role: this.makeRole([
        new PolicyStatement({
          sid: 'CallSteps',
          actions: ['lambda:InvokeFunction'],
          resources: called.map(([, { functionArn }]) => functionArn),
        }),
        new PolicyStatement({
          sid: 'ReadItemLists',
          actions: ['s3:GetObject'],
          resources: [runs.arnForObjects(ITEM_LISTS)],
        }),
        new PolicyStatement({
          sid: 'WriteItemResults',
          actions: ['s3:PutObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:AbortMultipartUpload'],
          resources: [runs.arnForObjects(ITEM_RESULTS)],
        }),
        ...mayEmit(parts.bus, [runFailed]),
      ]),
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'Log', {
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
        level: LogLevel.ALL,
        // Events may carry sensitive fields; states are told apart by run id alone.
        includeExecutionData: false,
      },
    });
    acknowledge(machine.role, {
      [wildcardRule(`${attributeText(runs, 'Arn')}/${ITEM_LISTS}`)]:
        'The item lists of all runs, and nothing else of the runs store: a run is known only when it has begun.',
      [wildcardRule(`${attributeText(runs, 'Arn')}/${ITEM_RESULTS}`)]:
        'What the items of all runs returned, which Step Functions writes: a run is known only when it has begun.',
      [wildcardRule('*')]:
        'Log delivery and X-Ray have no rights on single resources (Step Functions developer guide, "Logging").',
    });
    if (workflow.plan.some(({ node }) => node === 'forEach')) allowMapRuns(machine);
    return machine;
  }

  private makeRole(statements: PolicyStatement[]): Role {
    const stack = Stack.of(this);
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': stack.formatArn({
              service: 'states',
              resource: 'stateMachine',
              resourceName: '*',
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
      inlinePolicies: { Work: new PolicyDocument({ statements }) },
    });
  }
}

/**
 * A distributed Map runs its items as executions of its own state machine. These rights name the machine, which needs
 * its role first: hence a policy beside the role.
 */
function allowMapRuns(machine: StateMachine): void {
  const executions = (separator: string) =>
    Stack.of(machine).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${machine.stateMachineName}${separator}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const policy = new Policy(machine, 'MapRuns', {
    statements: [
      new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine.stateMachineArn] }),
      new PolicyStatement({
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: [executions(':')],
      }),
      new PolicyStatement({ actions: ['states:RedriveExecution'], resources: [executions('/')] }),
    ],
  });
  machine.role.attachInlinePolicy(policy);
  const executionsText = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${attributeText(machine, 'Name')}`;
  const reason = 'Executions of this one state machine: their names are made when a Map runs.';
  acknowledge(policy, { [wildcardRule(`${executionsText}:*`)]: reason, [wildcardRule(`${executionsText}/*`)]: reason });
}

const placeholder = (name: string) => `\${${name}}`;
