/** The one order of this project: by UTF-16 code units, as `sort()` has it, so that no locale decides what comes first. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
