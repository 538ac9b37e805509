import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { definitionKey, type JsonSchema } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import { CallQueue } from '../../src/invocation/call-queue.js';
import type { CallSettings } from '../../src/invocation/call-settings.js';
import type { CallOutcome } from '../../src/invocation/outcome.js';
import type { Entry, Slot } from '../../src/projection/generation.js';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

export interface EntryParts {
  readonly words?: readonly [string, ...string[]];
  readonly slots?: readonly Slot[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  /** Outputs by name, each the whole of stdout. */
  readonly outputs?: { readonly [name: string]: { readonly format: 'json' | 'text'; readonly schema: JsonSchema } };
  readonly tool?: Partial<Tool>;
  readonly linearPatterns?: readonly string[];
}

let made = 0;

/** A projected Tool with a shell arm, as the projection makes it; each has its own definition digest. */
export function shellEntry(parts: EntryParts): Entry {
  const { words = ['true'], slots = [], properties = {}, required, outputs, tool, linearPatterns } = parts;
  const read = Object.entries(outputs ?? {});
  const [output, ...others] = read.map(([name, { format }]) => ({ name, format, required: true }));
  made += 1;
  return {
    name: 'probe_tool',
    id: 'probe-tool',
    iri: 'urn:toolgraph:test:tool/probe-tool',
    document: 'graph/probe.json',
    tool: {
      id: 'probe-tool',
      title: 'Probe',
      description: 'Shows what reaches a process.',
      tier: 'stable',
      invoke: { shell: words.join(' ') },
      io: { inputs: [], outputs: [] },
      satisfies: ['probing'],
      ...tool,
    },
    declaration: {
      name: 'probe_tool',
      description: 'Shows what reaches a process.',
      inputSchema: {
        type: 'object',
        properties,
        ...(required === undefined ? {} : { required }),
        additionalProperties: false,
      },
      ...(output === undefined
        ? {}
        : {
            outputSchema: {
              type: 'object',
              properties: Object.fromEntries(read.map(([name, { schema }]) => [name, schema])),
              required: read.map(([name]) => name),
              additionalProperties: false,
            },
          }),
      _meta: { [definitionKey]: made.toString(16).padStart(64, '0') },
    },
    ...(linearPatterns === undefined ? {} : { linearPatterns }),
    binding: { arm: 'shell', words, slots, ...(output === undefined ? {} : { outputs: [output, ...others] }) },
  };
}

export function callSettings(over: Partial<CallSettings> = {}): CallSettings {
  return {
    cwd: process.cwd(),
    env: process.env,
    permittedEnv: [],
    timeoutMs: 30_000,
    outputBytes: 1_048_576,
    queue: new CallQueue(() => ({ concurrentCalls: 32, concurrentCallsPerTool: 32, waitingCalls: 32 })),
    // A fault of toolgraph must fail the test with its own stack.
    onInternalError: (error) => {
      throw error;
    },
    ...over,
  };
}

/** The text of a call that ran. */
export function textOf(outcome: CallOutcome): string {
  if (outcome.kind !== 'ran') throw new Error(`expected the call to run, got ${JSON.stringify(outcome)}`);
  return outcome.text;
}

/** A folder that is removed when the test ends. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolgraph-invocation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
