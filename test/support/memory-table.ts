import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { Table } from '../../lib/testkit/table';

/** The table of the testkit, behind every DynamoDB client of the process. */
export class MemoryTable extends Table {
  readonly calls = mockClient(DynamoDBClient);

  constructor() {
    super();
    this.calls.on(GetItemCommand).callsFake((input) => this.get(input));
    this.calls.on(UpdateItemCommand).callsFake((input) => this.update(input));
  }
}
