import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { envelopeSchema, jsonSchema, openEvent } from '../../lib/contract';
import { discover } from '../../lib/module';
import { busEvent } from '../support/aws';
import { expectGolden } from '../support/golden';

const { contracts } = discover(join(__dirname, '..', '..'));
const named = contracts.map((contract) => [`${contract.type}.v${contract.version}`, contract] as const);

test('the seed example is a valid contract: a trained model', () => {
  const trained = contracts.find(({ dataschema }) => dataschema === 'urn:headrace:model.trained:1');
  const data = { model_id: 'resnet50_v1', accuracy: 0.95, timestamp: 1625097600 };
  expect(trained?.create(data).data).toEqual(data);
});

test('no contract that was agreed on has disappeared', () => {
  const agreed = readdirSync(join(__dirname, '..', 'golden', 'schemas'));
  expect(named.map(([name]) => `${name}.json`)).toEqual(expect.arrayContaining(agreed));
});

describe.each(named)('%s', (name, contract) => {
  test('has an example that may be sent', () => {
    expect(contract.create(contract.example).data).toEqual(contract.example);
  });

  test('comes back from the bus as it was sent', () => {
    const sent = JSON.parse(JSON.stringify(busEvent(contract.create(contract.example))));
    expect(envelopeSchema.parse(sent.detail)).toEqual(sent.detail);
    expect(openEvent(sent, [contract])).toMatchObject({ type: contract.type, data: contract.example });
  });

  test('is about an entity that its example names', () => {
    const subject = (contract.example as Record<string, unknown>)[contract.subject];
    expect(String(subject)).toMatch(/\S/);
  });

  test('has the schema that was agreed on', () => {
    expectGolden(`schemas/${name}.json`, jsonSchema(contract));
  });
});
