import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

export interface LedgerProps {
  /** Whether the table goes with its stack. */
  readonly ephemeral: boolean;
}

/**
 * The table in which every consumer records what it has done, so that a second delivery has no second effect.
 * One item for each (consumer, event), removed by its time to live.
 */
export class LedgerTable extends Construct {
  public readonly table: Table;

  constructor(scope: Construct, id: string, { ephemeral }: LedgerProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      // AWS-owned key: encrypted at rest without a KMS call, and its price, for every message.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expires_at',
      deletionProtection: !ephemeral,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
  }
}
