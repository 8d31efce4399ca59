const esmPackages = ['fast-png', 'iobuffer', 'fflate', '@aws-lambda-powertools'];

const base = {
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.m?[jt]s$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
};

/** Three suites: fast and pure; the synthesized templates; the whole pipeline on the local target. */
module.exports = {
  reporters: ['default', '<rootDir>/test/support/tally-reporter.js'],
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/test/e2e/',
        '<rootDir>/test/templates/',
        '<rootDir>/test/nightly/',
        '<rootDir>/test/fixtures/',
      ],
    },
    { ...base, displayName: 'templates', testMatch: ['<rootDir>/test/templates/**/*.test.ts'] },
    { ...base, displayName: 'nightly', testMatch: ['<rootDir>/test/nightly/**/*.test.ts'] },
    { ...base, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
  ],
  testTimeout: 30_000,
};
