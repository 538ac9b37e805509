import type { PatternVerdicts } from '../patterns/verdict.js';
import { argvDanger } from './argv-safety.js';
import type { ArmKind, BindRequest } from './arm.js';
import type { ShellBinding, Unfitness } from './generation.js';
import { interpreterSlot } from './interpreter.js';
import { stdoutOutputs } from './output-schema.js';
import type { Port } from './ports.js';
import { shellSlots } from './slots.js';
import { typeName } from './type-reference.js';
import { splitWords } from './words.js';

/** A command with argv (P7): no shell is ever started. */
export const shellArm: ArmKind = {
  reaches: ({ arg }) => arg !== undefined,
  bind(request) {
    const binding = bindShell(request);
    if ('code' in binding) return binding;
    const [command] = binding.words;
    return {
      binding,
      unavailable(host) {
        if (host.commands.get(command) === true) return undefined;
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
  const slots = shellSlots(ports);
  const required = new Set(ports.flatMap(({ input }) => (input.required === true ? [input.name] : [])));
  const code = interpreterSlot(
    words,
    slots.map((slot) => ({ slot, required: required.has(slot.name) })),
  );
  if (code !== undefined) {
    const reason = `its input "${code.input}" would become code: it is run by ${code.interpreter}`;
    return { code: 'interpreter-slot', reason };
  }
  const unfit = unreachableInput(ports) ?? unsafeInput(ports, verdicts);
  if (unfit !== undefined) return unfit;
  const outputs = stdoutOutputs(tool.io.outputs);
  return { arm: 'shell', words, slots, ...(outputs === undefined ? {} : { outputs }) };
}

/** A required input that no argument, flag or stdin carries (P8). */
export function unreachableInput(ports: readonly Port[]): Unfitness | undefined {
  const unreachable = ports.find(({ input }) => input.required === true && input.arg === undefined);
  if (unreachable === undefined) return undefined;
  const reason = `its required input "${unreachable.input.name}" has no arg, so it cannot reach the process`;
  return { code: 'unreachable-input', reason };
}

/** An input in argv whose type admits a shell-active value (DESIGN decision 7). */
export function unsafeInput(ports: readonly Port[], verdicts: PatternVerdicts): Unfitness | undefined {
  for (const { input, schema } of ports) {
    if (input.arg === undefined || 'stdin' in input.arg) continue;
    const danger = argvDanger(schema, verdicts);
    if (danger === undefined) continue;
    const reason = `its input "${input.name}" goes into argv, and the type ${typeName(input.schema)} ${danger}`;
    return { code: 'unsafe-argv-input', reason };
  }
  return undefined;
}
