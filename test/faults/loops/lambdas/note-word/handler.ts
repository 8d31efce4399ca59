import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { chainText, consume } from 'headrace/runtime';
import { NOTES_TABLE } from '../../notes';
import module from './module';

const dynamodb = new DynamoDBClient({});

export const handler = consume(module, async (event) => {
  const Item = { pk: { S: event.id }, chain: { S: event.data.chain }, cause: { S: chainText(event) } };
  await dynamodb.send(new PutItemCommand({ TableName: NOTES_TABLE, Item }));
  return [];
});
