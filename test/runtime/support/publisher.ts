import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { publish } from '../../../lib/runtime';
import { essayGraded } from '../../support/essays';

/**
 * A process that publishes ten events into the spool it is told, and dies over them: `before` the bus has answered, or
 * `after` it, before the process could note it.
 */
const [spool = '', when] = process.argv.slice(2);

const die = () => process.kill(process.pid, 'SIGKILL');

const client = {
  send: async () => {
    if (when === 'before') die();
    process.stdout.write('accepted\n', die);
    return new Promise(() => undefined);
  },
} as unknown as EventBridgeClient;

const drafts = Array.from({ length: 10 }, (_, i) => essayGraded.create({ essay: `e-${i}`, grade: 1 }));
void publish(drafts, { client, bus: 'essays', spool });
