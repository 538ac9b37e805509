import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { shownName } from './database-file.js';
import { newerRecords, recordsFileName } from './record-opening.js';
import { recordsVersion } from './record-schema.js';
import { inWords } from './store-error.js';

/**
 * Reads from `<folder>/records.db` at one moment, without changing anything; servers may write it meanwhile. Undefined when there is no file, or
 * an older one than `firstVersion`, which the next start of a server brings to the last version. Throws a StoreError when the file is damaged, or
 * a newer toolgraph wrote it.
 */
export function readRecords<T>(
  folder: string,
  firstVersion: number,
  read: (db: Database.Database) => T,
): T | undefined {
  const file = { folder, name: recordsFileName };
  const path = join(folder, recordsFileName);
  if (!existsSync(path)) return undefined;
  return inWords(shownName(file), () => {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const version = Number(db.pragma('user_version', { simple: true }));
      if (version > recordsVersion) throw newerRecords(file, version);
      if (version < firstVersion) return undefined;
      return db.transaction(() => read(db))();
    } finally {
      db.close();
    }
  });
}
