import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { giveTurnOf } from '../../lib/cli/dead-letters/give-turn';
import { readLetter } from '../../lib/cli/dead-letters/letter';
import { defineEvent } from '../../lib/contract';
import { defineModule, orderKey } from '../../lib/module';
import { busEvent } from '../support/aws';
import { MemoryTable } from '../support/memory-table';

const moved = defineEvent({
  type: 'parcel.moved',
  version: 1,
  summary: 'A parcel was moved',
  subject: 'parcel',
  sequence: 'step',
  schema: z.object({ parcel: z.string(), step: z.number().int() }),
  example: { parcel: 'p', step: 1 },
});
const follow = defineModule({ name: 'follow-parcel', summary: 'Follows', on: [moved], emits: [], ordered: true });
const count = defineModule({ name: 'count-moves', summary: 'Counts', on: [moved], emits: [] });

const letter = (step: number, module = 'follow-parcel') =>
  readLetter(module, {
    MessageId: `letter-${step}`,
    Body: JSON.stringify(busEvent(moved.create({ parcel: 'p-1', step }), { id: `e-${step}` })),
  });

let table: MemoryTable;
beforeEach(() => {
  table = new MemoryTable();
});
afterEach(() => table.calls.restore());

const giveTurn = () => giveTurnOf({ dynamodb: new DynamoDBClient({}), ledger: 'ledger', modules: [follow, count] });
const last = () => table.items.get(orderKey('follow-parcel', 'p-1'))?.last?.N;

test('what waits for a letter that is given up gets its turn, whatever the order of the letters', async () => {
  const give = giveTurn();
  await give([letter(2), letter(3)]);
  expect(last()).toBeUndefined();
  await give([letter(1)]);
  expect(last()).toBe('3');
});

test('so it does when the letter was parked because its data break the contract, which still tell its place', async () => {
  const event = busEvent(moved.create({ parcel: 'p-1', step: 1 }), { id: 'e-1' });
  const parked = (data: object) =>
    readLetter('follow-parcel', {
      MessageId: 'l',
      Body: JSON.stringify({ ...event, detail: { ...event.detail, data } }),
    });
  await giveTurn()([parked({ parcel: 7, step: 'one' }), parked({ parcel: 7 })]);
  expect(table.items.size).toBe(0);
  await giveTurn()([parked({ parcel: 7, step: 1 })]);
  expect(last()).toBe('1');
});

test('an event before them that is still missing keeps its turn', async () => {
  await giveTurn()([letter(1), letter(3)]);
  expect(last()).toBe('1');
});

test('a module without an order, and a letter that is no event, have no turn to give', async () => {
  await giveTurn()([letter(1, 'count-moves'), readLetter('follow-parcel', { MessageId: 'x', Body: 'no json' })]);
  expect(table.items.size).toBe(0);
});
