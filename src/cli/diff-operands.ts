import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInstance } from '../instance/included.js';
import { parseDirectory, UsageError } from './arguments.js';

/** What `diff` is to compare: at most two revisions, and an absolute path of a folder that exists. */
export interface DiffOperands {
  readonly revisions: readonly string[];
  readonly root: string;
}

/** The last operand is DIR where it is the third, is written as a path, or is a folder that holds an instance. Throws a UsageError. */
export function readOperands(operands: readonly string[]): DiffOperands {
  const last = operands.at(-1);
  const isDirectory = last !== undefined && (operands.length === 3 || /^[./]|\/$/.test(last) || holdsInstance(last));
  const revisions = isDirectory ? operands.slice(0, -1) : operands;
  for (const name of revisions) {
    if (name.startsWith('-') || name === '') throw new UsageError(`"${name}" is no git revision`);
    if (name.includes('..')) throw new UsageError(`write the two revisions of ${name} as two words`);
  }
  return { revisions, root: parseDirectory(isDirectory ? last : '.') };
}

function holdsInstance(path: string): boolean {
  const folder = resolve(path);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && isInstance(folder);
}
