import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They have dependencies and a configuration of their own: npm run test:clients.
    exclude: [...configDefaults.exclude, 'test/clients/**'],
    // The end-to-end tests, and the thread that analyses patterns, run what is built.
    globalSetup: ['test/e2e/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two forks: the end-to-end tests start real processes, and CI machines have two cores.
    maxWorkers: 2,
    pool: 'forks',
  },
});
