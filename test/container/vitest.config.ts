import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/container/*.test.ts'],
    globalSetup: ['test/e2e/build.ts', 'test/container/engine-setup.ts'],
    testTimeout: 120_000,
    // The storage driver has one lock, and each container takes its time anyway.
    maxWorkers: 1,
    pool: 'forks',
  },
});
