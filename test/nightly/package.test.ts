import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, scratchFolder } from '../e2e/support/deployed';

jest.setTimeout(600_000);

test('a project of its own installs the packed framework and runs on the local target', async () => {
  const { path, remove } = await scratchFolder('package');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    execFileSync('npm', ['pack', '--pack-destination', path], { cwd: ROOT, stdio: 'ignore' });
    cpSync(join(ROOT, 'test', 'fixtures', 'user-project'), path, { recursive: true });
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'visits', private: true }));
    run('npm', 'install', './headrace-0.1.0.tgz');
    const graph = JSON.parse(run('npx', 'headrace', 'graph', '--json'));
    expect(graph.modules).toEqual([expect.objectContaining({ name: 'greet-visitor', on: ['visit.paid'] })]);
    run('npx', 'headrace', 'up');
    const published = JSON.parse(run('npx', 'headrace', 'publish', 'visit.paid', '--example', '--json'));
    expect(JSON.stringify(published)).toContain('visit.paid');
  } finally {
    run('npx', 'headrace', 'down');
    await remove();
  }
});
