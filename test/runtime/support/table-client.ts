import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { Table } from '../../../lib/testkit/table';

/** A client of a table in memory. */
export class TableClient {
  public readonly table = new Table();
  private failing: string | undefined;

  /** The next write whose update says so fails. */
  public failOnce(text: string): void {
    this.failing = text;
  }

  /** For what asks for the type of the SDK. */
  public get client(): DynamoDBClient {
    return this as unknown as DynamoDBClient;
  }

  public async send(command: unknown): Promise<object> {
    if (command instanceof GetItemCommand) return this.table.get(command.input);
    if (!(command instanceof UpdateItemCommand)) throw new Error('the runtime sends no other command to its table');
    if (this.failing !== undefined && command.input.UpdateExpression?.includes(this.failing)) {
      this.failing = undefined;
      throw Object.assign(new Error('table out of reach'), { $metadata: { httpStatusCode: 400 } });
    }
    return this.table.update(command.input);
  }
}
