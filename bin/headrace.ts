import { main } from '../lib/cli/main';
import { processHost } from '../lib/cli/process-host';

void main(process.argv.slice(2), processHost()).then((code) => process.exit(code));
