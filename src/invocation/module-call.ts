import { ReturnedResultSchema } from '../../schemas/content-block.js';
import { confirmationProperty } from '../../schemas/declaration.js';
import { hasMoreValues } from '../json-text.js';
import type { Entry, InProcessBinding } from '../projection/generation.js';
import { resultBytesLimit } from '../result-size.js';
import { textDigest } from './call-record.js';
import type { CallSettings } from './call-settings.js';
import { childEnvironment } from './environment.js';
import type { ModuleFault, ReturnedData } from './module/messages.js';
import type { PoolAnswer } from './module/pool.js';
import type { CallOutcome } from './outcome.js';
import { structuredResult } from './structured-output.js';
import { valuesLimit } from './value-bounds.js';

/** A Tool that runs as a function. */
export type ModuleEntry = Entry & { readonly binding: InProcessBinding };

/** Runs the inProcess arm: the function in the thread of its module, and its result as data. `args` satisfy the inputSchema. */
export async function callModule(
  entry: ModuleEntry,
  args: Readonly<Record<string, unknown>>,
  settings: CallSettings,
): Promise<CallOutcome> {
  const { tool, binding } = entry;
  const { modules, onProgress, onQuery, overflow, signal } = settings;
  if (modules === undefined) throw new Error('a module is called without threads in which it could run');
  const timeoutMs = tool.limits?.timeoutMs ?? settings.timeoutMs;
  const outputBytes = tool.limits?.outputBytes ?? settings.outputBytes;
  await settings.observer?.starting();
  const answer = await modules.ask(
    {
      root: settings.root ?? settings.cwd,
      module: binding.module,
      env: childEnvironment(settings.env, tool.requires?.env ?? [], settings.permittedEnv),
    },
    {
      kind: 'call',
      exports: binding.exports,
      names: binding.names,
      inputs: passedInputs(entry, args),
      declared: tool.io.inputs.map(({ name }) => name),
      outputBytes,
      keptBytes: overflow?.mostBytes ?? 0,
    },
    {
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(overflow === undefined ? {} : { onOverflow: (bytes) => overflow.write(bytes) }),
      ...(onQuery === undefined ? {} : { onQuery }),
    },
  );
  if (answer.kind === 'returned') {
    // Of the output, as far as it was passed on.
    settings.observer?.ended({ output: textDigest(answer.output.text) });
    return outcomeOfResult(entry, answer, outputBytes);
  }
  return failureOfAnswer(entry, timeoutMs, answer);
}

/** P13: a confirmation that is asked for is for us, whatever the module would make of it. */
function passedInputs({ tool }: Entry, args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (tool.requiresConfirmation !== true) return args;
  const { [confirmationProperty]: _, ...inputs } = args;
  return inputs;
}

async function outcomeOfResult(entry: ModuleEntry, data: ReturnedData, limitBytes: number): Promise<CallOutcome> {
  const { id, binding, declaration } = entry;
  const { text, truncated } = data.output;
  const { outputs } = binding;
  const { outputSchema } = declaration;
  const isStructured = outputs !== undefined && outputSchema !== undefined;
  const excess = truncated ? cutAt(limitBytes) : data.form === 'json' ? unreadExcess(text) : undefined;
  if (excess !== undefined) {
    if (!isStructured) return { kind: 'ran', text, truncated };
    const message = `The output of ${id} has ${excess.words}; return less`;
    return { kind: 'failed', code: 'output_mismatch', message, details: excess.details };
  }
  const value: unknown = data.form === 'json' ? JSON.parse(text) : data.form === 'text' ? text : undefined;
  const returned = data.form === 'json' ? ReturnedResultSchema.safeParse(value) : undefined;
  const result = returned?.success === true ? returned.data : undefined;
  const texts = (result?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (result?.isError === true) return failed(id, { message: texts.join('\n') || 'it says no more' });
  if (isStructured) {
    const given = result === undefined ? value : result.structuredContent;
    const structured = await structuredResult(entry, { outputs, outputSchema }, given);
    if (!('value' in structured)) return { kind: 'failed', ...structured };
    return { kind: 'ran', text: structured.text, truncated, structured: structured.value };
  }
  if (result === undefined) return { kind: 'ran', text, truncated };
  return { kind: 'ran', text: texts.join('\n'), truncated, content: result.content };
}

function cutAt(limitBytes: number) {
  return { words: `more than ${limitBytes} bytes (limits.outputBytes of the node)`, details: { limitBytes } };
}

/** How JSON is more than is read: it would fit into no result, or hold up the main thread. */
function unreadExcess(json: string) {
  const bytes = Buffer.byteLength(json);
  if (bytes > resultBytesLimit) {
    return {
      words: `${bytes} bytes of JSON; at most ${resultBytesLimit} fit into a result`,
      details: { limitBytes: resultBytesLimit },
    };
  }
  if (!hasMoreValues(json, valuesLimit)) return undefined;
  return { words: `more than ${valuesLimit} values, which is the limit`, details: { limitValues: valuesLimit } };
}

function failureOfAnswer(
  { id, binding: { module } }: ModuleEntry,
  timeoutMs: number,
  answer: Exclude<PoolAnswer, { kind: 'returned' }>,
): CallOutcome {
  switch (answer.kind) {
    case 'threw':
      return answer.loading
        ? failed(id, { ...answer.fault, message: `its module ${module} does not load: ${answer.fault.message}` })
        : failed(id, answer.fault);
    case 'ended':
      return failed(id, { message: `the thread of its module ${module} ${answer.words}` });
    case 'missing':
      return failed(id, { message: `its module ${module} is not a file of the instance` });
    case 'stopped': {
      const { reason } = answer;
      if (reason === 'cancelled') {
        return { kind: 'failed', code: 'cancelled', message: `${id} was cancelled and ended`, details: {} };
      }
      const message = `${id} did not end within ${timeoutMs} ms and was ended`;
      return { kind: 'failed', code: 'timeout', message, details: { timeoutMs } };
    }
    case 'checked':
      throw new Error('a call was answered as a check');
  }
}

/** The first line is the message; all of it, where there is more, is in the details. */
function failed(id: string, { message, name, code }: ModuleFault): CallOutcome {
  const [first = '', ...others] = message.trim().split('\n');
  const details = {
    ...(name === undefined ? {} : { name }),
    ...(code === undefined ? {} : { code }),
    ...(others.length === 0 ? {} : { error: message }),
  };
  return { kind: 'failed', code: 'module_failed', message: `${id} failed: ${first}`, details };
}
