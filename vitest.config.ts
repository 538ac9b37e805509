import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They have a configuration of their own, and needs: npm run test:clients, npm run test:container.
    exclude: [...configDefaults.exclude, 'test/clients/**', 'test/container/**'],
    // The end-to-end tests, and the thread that analyses patterns, run what is built.
    globalSetup: ['test/e2e/build.ts'],
    setupFiles: ['test/property-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two forks: the end-to-end tests start real processes, and CI machines have two cores.
    maxWorkers: 2,
    pool: 'forks',
  },
});
