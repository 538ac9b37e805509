import { isBasicVariable } from '../../schemas/config.js';

/**
 * The environment of a child: the base list (PATH HOME LANG LC_* TZ TMPDIR USER) and the names that the node lists in `requires.env`
 * and the config permits (tool-node.md §4). All else, secrets of the service among it, stays here. Pure.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  required: readonly string[],
  permitted: readonly string[],
): Record<string, string> {
  const passed = new Set(required.filter((name) => permitted.includes(name)));
  // fromEntries defines own properties, so a variable named __proto__ is one like any other.
  return Object.fromEntries(
    Object.entries(env).filter(
      (variable): variable is [string, string] =>
        variable[1] !== undefined && (isBasicVariable(variable[0]) || passed.has(variable[0])),
    ),
  );
}
