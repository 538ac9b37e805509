import * as fs from 'node:fs';

/** Node has it from 22 on. The suite imports it for its command `tier-check` alone. */
export function globSync(): never {
  throw new Error('fs.globSync is not in this version of Node');
}

/** What the suite imports beside it. */
export const { existsSync, mkdtempSync, promises, readdirSync, readFileSync, writeFileSync } = fs;
