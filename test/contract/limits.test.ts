import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_EVENT_BYTES } from '../../lib/contract';
import { LIMITS, type Limit, limitsTable } from '../../lib/contract/limits';

const all: readonly Limit[] = Object.values(LIMITS);

test('every limit says whose it is and what keeps it', () => {
  for (const { service, source, kept, value } of all) {
    expect([service, kept.length > 5, value > 0]).toEqual([service, true, true]);
    expect(service === 'Headrace' || source.startsWith('docs.aws.amazon.com/')).toBe(true);
  }
});

test('an event we send is the size the table says', () => {
  expect(MAX_EVENT_BYTES).toBe(LIMITS.eventBytes.value);
});

test('a run outlives what the ledger says of it', () => {
  expect(LIMITS.runDays.value).toBeGreaterThanOrEqual(LIMITS.ledgerDays.value + 7);
});

test('docs/RELIABILITY.md shows the table', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'RELIABILITY.md'), 'utf8');
  const shown = page.split('<!-- limits -->')[1]?.trim();
  expect(shown).toBe(limitsTable());
});
