import type { ArmKind, BindRequest } from './arm.js';
import type { ShellBinding, Unfitness } from './generation.js';
import { stdoutOutputs } from './output-schema.js';
import { processSlots } from './process-slots.js';
import { splitWords } from './words.js';

/** A command with argv (P7): no shell is ever started. */
export const shellArm: ArmKind = {
  reaches: ({ arg }) => arg !== undefined,
  bind(request) {
    const binding = bindShell(request);
    if ('code' in binding) return binding;
    const [command] = binding.words;
    return {
      on({ commands }) {
        if (commands.get(command) === true) return binding;
        const expected = command.includes('/') ? 'not an executable file of the instance' : 'not found on PATH';
        return { code: 'command-not-found', reason: `its command ${command} is ${expected}` };
      },
    };
  },
  ask({ invoke }, { commands }) {
    const split = splitWords(invoke.shell ?? '');
    if ('words' in split) commands.add(split.words[0]);
  },
};

function bindShell({ tool, ports, verdicts }: BindRequest): ShellBinding | Unfitness {
  const split = splitWords(tool.invoke.shell ?? '');
  if ('syntax' in split) {
    return {
      code: 'shell-syntax',
      reason: `its shell string has ${split.syntax} and would need a shell; none is ever started`,
    };
  }
  const { words } = split;
  const bound = processSlots(words, { ports, verdicts });
  if ('code' in bound) return bound;
  const outputs = stdoutOutputs(tool.io.outputs);
  return { arm: 'shell', words, slots: bound.slots, ...(outputs === undefined ? {} : { outputs }) };
}
