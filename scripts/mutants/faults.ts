import type { Mutant } from '../mutants-table.js';

/** What a service does when its host fails it: watches, permissions, disk, databases. */
export const faultMutants: readonly Mutant[] = [
  {
    id: 'watch failure',
    file: 'src/ingest/watch-keeper.ts',
    find: 'if (isSame && this.#now() < this.#retryAt) {',
    replace: 'if (isSame) {',
    test: 'test/ingest/watch-keeper.test.ts',
    name: 'tried again later and later',
  },
  {
    id: 'watch failure.2',
    file: 'src/ingest/changes.ts',
    find: 'return this.#failure === undefined && !this.#watch.isFailing;',
    replace: 'return this.#failure === undefined;',
    test: 'test/e2e/faults-of-watching.test.ts',
    name: 'ENOSPC',
  },
  {
    id: 'failed batch',
    file: 'src/ingest/changes.ts',
    find: 'if (failure !== this.#failure) this.#options.onError(error);',
    replace: 'this.#options.onError(error);',
    test: 'test/ingest/changes.test.ts',
    name: 'gets a failed batch again',
  },
  {
    id: 'failed folder',
    file: 'src/ingest/scan.ts',
    find: '!walk.directories.has(folder.path)',
    replace: 'walk.directories === undefined',
    test: 'test/e2e/faults-of-access.test.ts',
    name: 'the node folder is kept',
  },
  {
    id: 'lost store',
    file: 'src/instance-follower.ts',
    find: 'if (this.#closed || !this.#replaceLost()) throw error;',
    replace: 'throw error;',
    test: 'test/e2e/faults-of-databases.test.ts',
    name: 'a graph.db that is damaged is rebuilt',
  },
  {
    id: 'lost store.2',
    file: 'src/store/lasting-records.ts',
    find: 'if (this.#records.isLost) this.#openAgain();',
    replace: '',
    test: 'test/store/lasting-records.test.ts',
    name: 'when the folder is removed',
  },
  {
    id: 'lost store.3',
    file: 'src/store/generation-table.ts',
    find: 'Math.max(before ?? 0, given?.number ?? 0) + 1',
    replace: '(before ?? 0) + 1',
    test: 'test/store/lasting-records.test.ts',
    name: 'goes on counting',
  },
  {
    id: 'lost store.4',
    file: 'src/instance-follower.ts',
    find: 'else await this.#renumber();',
    replace: '',
    test: 'test/instance-follower.test.ts',
    name: 'takes the number that another process',
  },
];
