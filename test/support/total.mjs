// Adds up what the suites of `npm test` counted and prints it as one line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '.headrace', 'tally');
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder)) {
  const counts = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  for (const key of Object.keys(total)) total[key] += counts[key];
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
