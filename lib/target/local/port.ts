import { createServer } from 'node:net';
import { HeadraceError } from '../../contract/errors';

const HOST = '127.0.0.1';

/** The wanted port if it is free, else any free one. */
export async function choosePort(wanted?: number): Promise<number> {
  try {
    return await tryPort(wanted ?? 0);
  } catch (cause) {
    throw portTaken(wanted, (cause as NodeJS.ErrnoException).code ?? String(cause));
  }
}

export function portTaken(wanted: number | undefined, reason: string): HeadraceError {
  return new HeadraceError('HR403', {
    what: wanted === undefined ? `No free port on ${HOST} (${reason}).` : `Port ${wanted} can't be used (${reason}).`,
    got: wanted,
    allowed: 'a free port from 1024 to 65535',
    next: 'Leave the port out to get a free one, or stop the program that has it (npx headrace down, for a target of ours).',
  });
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
