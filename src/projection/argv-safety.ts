import type { Json, JsonSchema } from '../../schemas/declaration.js';
import { byCodeUnits } from '../code-units.js';
import { isShellActive } from '../patterns/shell-active.js';
import type { PatternVerdicts } from '../patterns/verdict.js';

/**
 * Why a value of a schema may not become a word of argv, or undefined when none of its values is shell-active (DESIGN
 * decision 7): a boolean, a number, an enum or const all of whose members pass, or a string whose own `pattern` is proved safe.
 * Other keywords, `format` among them, prove nothing. `schema` is that of one value: of an element when the input is repeated.
 */
export function argvDanger(
  schema: JsonSchema & { readonly type: string },
  verdicts: PatternVerdicts,
): string | undefined {
  const { type, pattern } = schema;
  const members = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? undefined : [schema.const];
  if (members !== undefined) return memberDanger(members);
  if (type === 'boolean' || type === 'integer' || type === 'number') return undefined;
  if (type !== 'string') return `is of type ${type}, which is not one word`;
  if (typeof pattern !== 'string') return `has no pattern, so it admits ${JSON.stringify(anyString(schema))}`;
  const verdict = verdicts.get(pattern)?.argv ?? { kind: 'undecided', why: 'it has not been analysed' };
  if (verdict.kind === 'safe') return undefined;
  if (verdict.kind === 'unsafe') return `has a pattern that admits ${JSON.stringify(verdict.counterexample)}`;
  if (verdict.kind === 'empty') return 'has a pattern that matches no string at all';
  return `has a pattern that cannot be proved safe: ${verdict.why}`;
}

function memberDanger(members: readonly Json[]): string | undefined {
  const dangerous = members.filter((member) =>
    typeof member === 'string' ? isShellActive(member) : member === null || typeof member === 'object',
  );
  const [shortest] = dangerous
    .map((member) => JSON.stringify(member))
    .sort((a, b) => a.length - b.length || byCodeUnits(a, b));
  return shortest === undefined ? undefined : `admits ${shortest}`;
}

/** A shortest shell-active string without a pattern: as long as `minLength` asks for. */
function anyString({ minLength }: JsonSchema): string {
  return `${'a'.repeat(Math.min(Math.max(Number(minLength ?? 0) - 1, 0), 100))};`;
}
