const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(__dirname, '..', '..', '.headrace', 'tally');

/** Notes how many tests of a suite passed and failed, for `test/support/total.mjs` to add up. */
module.exports = class TallyReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults }) {
    const suite = testResults[0]?.testFilePath.match(/test[\\/](e2e|templates|nightly)[\\/]/)?.[1] ?? 'unit';
    const broken = numFailedTestSuites > 0 && numFailedTests === 0 ? numFailedTestSuites : 0;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${suite}.json`),
      JSON.stringify({ passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests }),
    );
  }
};
