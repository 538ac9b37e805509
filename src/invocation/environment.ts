import { isBasicVariable, searchFolders } from '../../schemas/config.js';

/**
 * The environment of a child: the base list (PATH HOME LANG LC_* TZ TMPDIR USER) and the names that the node lists in `requires.env`
 * and the config permits (tool-node.md §4). All else, secrets of the service among it, stays here. PATH keeps its absolute folders, which
 * are those in which the host was asked for the command. Pure.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  required: readonly string[],
  permitted: readonly string[],
): Record<string, string> {
  const passed = new Set(required.filter((name) => permitted.includes(name)));
  const names = Object.keys(env).filter((name) => isBasicVariable(name) || passed.has(name));
  const variables = names.flatMap((name): [string, string][] => {
    const value = env[name];
    if (value === undefined) return [];
    if (name !== 'PATH') return [[name, value]];
    const folders = searchFolders(value);
    // An empty PATH would mean the current folder.
    return folders.length === 0 ? [] : [[name, folders.join(':')]];
  });
  // fromEntries defines own properties, so a variable named __proto__ is one like any other.
  return Object.fromEntries(variables);
}
