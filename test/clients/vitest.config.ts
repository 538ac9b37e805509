import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/clients/*.test.ts'],
    globalSetup: ['test/e2e/build.ts', 'test/clients/maintainer-folder.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: 'forks',
  },
});
