/** What was thrown, in words: anything can be, and libraries do throw what is no Error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
