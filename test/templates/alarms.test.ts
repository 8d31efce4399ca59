import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, smallProject, synthesize, wholeProject } from './support/synthesize';

const whole = synthesize(wholeProject());

describe('alarms', () => {
  const alarms = Object.values(whole.all('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

  test('four for a subscription and for the journal, three for a workflow, each named after its construct', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName as string);
    expect(names).toHaveLength(4 * 6 + 4 + 3);
    expect(names.filter((name) => name.includes('/CollectBatch/'))).toEqual(
      ['DeadLetters', 'Age', 'Failing', 'NotRunning'].map((id) => `test/Pipeline/CollectBatch/Alarms/${id}`),
    );
    expect(names.filter((name) => /TrainDigits\/Alarms/.test(name))).toEqual(
      ['RunsFailed', 'RunsTimedOut', 'RunsThrottled'].map((id) => `test/Pipeline/TrainDigits/Alarms/${id}`),
    );
  });

  test('silence is no breach', () => {
    expect(new Set(alarms.map(({ TreatMissingData }) => TreatMissingData))).toEqual(new Set(['notBreaching']));
  });

  test('a function that is not called counts as zero calls, and only while messages wait', () => {
    const notRunning = alarms.filter(({ AlarmName }) => String(AlarmName).endsWith('NotRunning'));
    for (const { Metrics } of notRunning) {
      expect(Metrics[0].Expression).toBe('IF(FILL(waiting, 0) > 0 AND FILL(invocations, 0) == 0, 1, 0)');
    }
  });

  test('all of them tell the one who is named', () => {
    const alarmAction = { bind: () => ({ alarmActionArn: 'arn:aws:sns:eu-west-1:111122223333:on-call' }) };
    const told = Object.values(synthesize(smallProject(), { alarmAction }).all('AWS::CloudWatch::Alarm'));
    expect(told).toHaveLength(4 * 2 + 4 + 3);
    for (const { Properties } of told) expect(Properties.AlarmActions).toEqual([expect.stringContaining('on-call')]);
  });

  test('every alarm sends its reader to a section of the runbook', () => {
    const links = alarms.map(({ AlarmDescription }) => /(docs\/RUNBOOK\.md)#([a-z-]+)$/.exec(AlarmDescription));
    const sections = new Set(links.map((link) => link?.[2]));
    expect([...sections].sort()).toEqual([
      'dead-letters',
      'function-failing',
      'not-running',
      'old-messages',
      'runs-failing',
    ]);
    const runbook = join(ROOT, 'docs', 'RUNBOOK.md');
    expect(existsSync(runbook)).toBe(true);
    const headings = [...readFileSync(runbook, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text
        ?.toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect([...sections].filter((section) => !headings.includes(section))).toEqual([]);
  });
});
