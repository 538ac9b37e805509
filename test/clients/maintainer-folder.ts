import { resolve } from 'node:path';

/** The variable that names one more instance to read, such as real nodes that are no part of this repository. */
const variable = 'TOOLGRAPH_FIXTURES';

/** Absolute path of the instance that the variable names; undefined when it is not set. */
export function maintainerFolder(): string | undefined {
  const folder = process.env[variable];
  return folder === undefined || folder === '' ? undefined : resolve(folder);
}

/** Vitest's global setup: says what is read, because tests that are not there leave no trace in the report. */
export function setup(): void {
  const folder = maintainerFolder();
  console.info(
    folder === undefined
      ? `${variable} is not set: only the instance that the tests write and this project's own are read`
      : `${variable}: ${folder} is read too`,
  );
}
