'use strict';

const subject = process.env.FAKE_TIMERS_SUBJECT ?? 'bottleneck';

/** Both kinds of fake timers, each in a project of its own. */
module.exports = {
  projects: ['jest', 'jest-legacy'].map((folder) => ({
    displayName: folder,
    rootDir: __dirname,
    testMatch: [`<rootDir>/${folder}/*.test.cjs`],
    testEnvironment: 'node',
    transform: {},
    moduleNameMapper: { '^bottleneck$': require.resolve(subject) },
  })),
};
