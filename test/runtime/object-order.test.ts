import '../support/quiet';
import { objectCreated } from '../../lib/contract';
import { defineModule } from '../../lib/module';
import { consume, Ledger, type Logic } from '../../lib/runtime';
import { lambdaContext, objectCreatedEvent, sqsEvent, sqsRecord } from '../support/aws';
import { Deployment } from '../support/deployment';
import { ManualTime } from './support/manual-time';
import { TableClient } from './support/table-client';

let dynamodb: TableClient;
let time: ManualTime;
beforeEach(() => {
  dynamodb = new TableClient();
  time = new ManualTime();
});

describe('an ordered module on the objects of a store', () => {
  const scan = defineModule({
    name: 'scan-essay',
    summary: 'Scans',
    on: [objectCreated('essays')],
    emits: [],
    ordered: true,
  });
  let aws: Deployment;
  const handled: string[] = [];
  beforeEach(() => {
    aws = new Deployment();
    handled.length = 0;
  });
  afterEach(() => aws.end());

  const written = (key: string, sequencer: string, id = `${key}-${sequencer}`) => {
    const event = objectCreatedEvent(key, 'essays-bucket');
    const detail = { ...event.detail, object: { ...event.detail.object, sequencer } };
    return sqsRecord({ ...event, id, detail }, { messageId: id });
  };
  const receive = (...records: ReturnType<typeof written>[]) => {
    const logic: Logic<typeof scan> = async ({ data: { object } }) => {
      handled.push(`${object.key}-${object.sequencer}`);
      return [];
    };
    return time.run(() => consume(scan, logic)(sqsEvent(...records), lambdaContext()), { dynamodb });
  };

  test('skips what is older than what it has handled, and drops ties', async () => {
    for (const record of [written('a', '0B'), written('a', '0A'), written('a', '0B', 'tie'), written('a', '0C')]) {
      expect(await receive(record)).toEqual({ batchItemFailures: [] });
    }
    expect(handled).toEqual(['a-0B', 'a-0C']);
    expect(aws.letters).toEqual([]);
  });

  test('compares sequencers as S3 says: the shorter one filled up with zeros, letters of either case', async () => {
    await receive(written('a', '00AB'));
    await receive(written('a', '00ab0'));
    await receive(written('a', '00AB01'));
    expect(handled).toEqual(['a-00AB', 'a-00AB01']);
  });

  const waits = (id: string) => ({ batchItemFailures: [{ itemIdentifier: id }] });

  test('lets nothing older go first when a worker died between the commit and the advance', async () => {
    dynamodb.failOnce('SET #last');
    await expect(receive(written('a', '0C'))).rejects.toThrow('table out of reach');
    expect(await receive(written('a', '0B'))).toEqual(waits('a-0B'));
    expect(await receive(written('a', '0C'))).toEqual({ batchItemFailures: [] });
    expect(await receive(written('a', '0B'))).toEqual({ batchItemFailures: [] });
    expect(handled).toEqual(['a-0C']);
  });

  test('lets nothing older go first while another worker has the later one, whose duplicate comes', async () => {
    const ledger = new Ledger(dynamodb.client, 'ledger');
    await time.run(() => ledger.acquire('scan-essay', 'a-0C', { leaseMs: 60_000 }));
    expect(await receive(written('a', '0C'))).toEqual(waits('a-0C'));
    expect(await receive(written('a', '0B'))).toEqual(waits('a-0B'));
    expect(handled).toEqual([]);
  });

  test('keeps the objects apart', async () => {
    await receive(written('a', '0B'), written('b', '0A'), written('b', '0B'));
    expect(handled.toSorted()).toEqual(['a-0B', 'b-0A', 'b-0B']);
  });
});
