import { optionValue, programOf } from './command-words.js';
import { findExecs, type Wrapper, wrappers } from './command-wrappers.js';

/** What a command runs: commands as words, and code for a shell. */
export interface Wrapped {
  readonly commands: readonly (readonly string[])[];
  readonly code: readonly string[];
}

const nothing: Wrapped = { commands: [], code: [] };

/** The commands that a command is known to run itself, one level deep: `rm b` of `sudo -u root rm b`. */
export function wrappedCommands([first = '', ...args]: readonly string[]): Wrapped {
  const program = programOf(first);
  if (program === 'find') return { commands: executed(args), code: [] };
  const alone = wrappers.get(program);
  if (alone !== undefined) return runBy(alone, args);
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const withSub = at === -1 ? undefined : wrappers.get(`${program} ${args[at]}`);
  return withSub === undefined ? nothing : runBy(withSub, args.slice(at + 1));
}

function executed(args: readonly string[]): string[][] {
  return args.flatMap((arg, i) => {
    if (!findExecs.has(arg)) return [];
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word === ';' || word === '+');
    return [end === -1 ? rest : rest.slice(0, end)];
  });
}

function runBy(wrapper: Wrapper, args: readonly string[]): Wrapped {
  let operands = wrapper.operands;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const rest = args.slice(at + 1);
    if (wrapper.inert.has(arg)) return nothing;
    if (/^[-+]./.test(arg) && arg !== '--') {
      const code = optionValue(arg, wrapper.code);
      if (code !== undefined)
        return { commands: [], code: [code.value ?? rest.find((word) => !/^[-+]/.test(word)) ?? ''] };
      const module = optionValue(arg, wrapper.module);
      if (module !== undefined)
        return { commands: [module.value === undefined ? rest : [module.value, ...rest]], code: [] };
      const taken = optionValue(arg, wrapper.valued);
      if (taken !== undefined && taken.value === undefined) at += 1;
    } else if (arg !== '--' && arg !== '-' && !/^[A-Za-z_]\w*=/.test(arg)) {
      if (operands === 0) return ranAs(wrapper, args.slice(at));
      operands -= 1;
    }
  }
  return nothing;
}

function ranAs({ runs }: Wrapper, words: readonly string[]): Wrapped {
  if (runs === 'nothing') return nothing;
  return runs === 'text' ? { commands: [], code: [words.join(' ')] } : { commands: [words], code: [] };
}
