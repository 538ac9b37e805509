import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two forks: the end-to-end tests start real processes, and CI machines have two cores.
    maxWorkers: 2,
    pool: 'forks',
  },
});
