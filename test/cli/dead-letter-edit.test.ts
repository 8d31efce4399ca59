import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { modelEvaluated } from '../../events/model/model-evaluated.v1';
import { main } from '../../lib/cli';
import { busEvent } from '../support/aws';
import { ids, parked, serve, sqs } from './dead-letter-queue';
import { pipelineOutputs, stackAnswer } from './stack-answer';
import { PROJECT, testHost } from './test-host';

beforeEach(() => sqs.reset());

describe('with an editor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headrace-edit-'));
  const event = busEvent(modelEvaluated.create(modelEvaluated.example), { id: 'event-in-letter' });
  const letter = (accuracy: unknown) => {
    const data = { ...(event.detail.data as object), accuracy };
    return {
      ...parked(1),
      MessageId: 'letter-1',
      Body: JSON.stringify({ ...event, detail: { ...event.detail, data } }),
    };
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  const edit = async (editor: string, answer: string) => {
    mockClient(CloudFormationClient).on(DescribeStacksCommand).resolves(stackAnswer(pipelineOutputs()));
    const host = testHost({
      env: { AWS_REGION: 'eu-central-1', EDITOR: editor },
      cwd: folder,
      interactive: true,
      ask: async () => answer,
    });
    const code = await main(['dlq', 'edit', 'letter-1', '--target', 'aws', '--project', PROJECT], host);
    return { code, out: host.out(), err: host.err() };
  };
  const draft = join(folder, 'letter-letter-1.json');

  test('the event is opened, checked, shown to be sent, and its file removed', async () => {
    const queue = serve([letter('high')], { url: 'https://sqs/dead/DeployModel' });
    const { code, out, err } = await edit(`sed -i 's/"high"/0.99/'`, 'y');
    expect(err + out).toMatch(/Sent to deploy-model as [0-9a-f]{32}, caused by event-in-letter/);
    expect(code).toBe(0);
    expect(queue.visible.length + queue.hidden.size).toBe(0);
    expect(existsSync(draft)).toBe(false);
  });

  test('a correction that does not fit is kept, and so is one that is not to be sent', async () => {
    const queue = serve([letter('high')], { url: 'https://sqs/dead/DeployModel' });
    const wrong = await edit(`sed -i 's/"high"/"higher"/'`, 'y');
    expect(wrong.err).toMatch(/Kept in .*HR102/s);
    expect(existsSync(draft)).toBe(true);
    expect((await edit('true', 'y')).err).toMatch(/HR501 The file is there already/);
    rmSync(draft);
    expect((await edit(`sed -i 's/"high"/0.99/'`, 'n')).out).toMatch(/Nothing was sent/);
    rmSync(draft);
    expect((await edit('false', 'y')).err).toMatch(/HR501 The editor ended with code 1/);
    expect(ids(queue.visible)).toEqual(['letter-1']);
    expect(sqs.commandCalls(SendMessageCommand)).toEqual([]);
  });
});
