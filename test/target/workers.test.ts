import { execFileSync } from 'node:child_process';
import { killWorkers } from '../../lib/target/local/workers';

jest.mock('node:child_process', () => ({ execFileSync: jest.fn() }));

const FOLDER = '/home/me/digits/.headrace/local';
const line = (pid: number, name: string) => ` ${pid} node ${FOLDER}/tmp/ministack-lambda-${name}-x1/index.mjs`;

beforeEach(() => {
  jest
    .mocked(execFileSync)
    .mockReturnValue([line(11, 'train'), line(12, 'clean'), line(13, 'train')].join('\n') as never);
});
afterEach(() => jest.restoreAllMocks());

test('kills the processes of one function, and says how many there were', () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  expect(killWorkers(FOLDER, 'train')).toBe(2);
  expect(kill.mock.calls).toEqual([
    [11, 'SIGKILL'],
    [13, 'SIGKILL'],
  ]);
});

test('does not mind a process that ended in between, and does not count it', () => {
  jest.spyOn(process, 'kill').mockImplementation((pid) => {
    if (pid === 11) throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    return true;
  });
  expect(killWorkers(FOLDER, 'train')).toBe(1);
});

test('fails when it may not kill', () => {
  jest.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  expect(() => killWorkers(FOLDER, 'train')).toThrow('EPERM');
});
