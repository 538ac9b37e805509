import { invocationTables, survivorColumns } from './invocation-table.js';
import { historyTables } from './provenance/history-tables.js';

/** The nth brings the file from `user_version` n to n + 1. An entry that was released is never changed. */
export const recordMigrations: readonly string[] = [
  `CREATE TABLE generation(key TEXT NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY(key, number)) STRICT, WITHOUT ROWID`,
  invocationTables,
  historyTables,
  survivorColumns,
];
/** The `user_version` of a file with all of them. */
export const recordsVersion = recordMigrations.length;
/** The first that has records of calls. */
export const firstCallsVersion = recordMigrations.indexOf(invocationTables) + 1;
/** The `user_version` from which on a file has a history. */
export const firstHistoryVersion = recordMigrations.indexOf(historyTables) + 1;
