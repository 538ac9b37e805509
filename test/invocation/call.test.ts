import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { callEntry } from '../../src/invocation/call.js';
import type { Slot } from '../../src/projection/generation.js';
import { callSettings, fixture, scratchFolder, shellEntry, textOf } from './shell-entry.js';

const node = process.execPath;
const text: JsonSchema = { type: 'string' };
const position: Slot = { name: 'x', kind: 'positional', position: 0, repeated: false };
const argvProbe = shellEntry({ words: [node, fixture('argv.mjs')], slots: [position], properties: { x: text } });

describe('a call that runs', () => {
  it('gives stdout as it was written', async () => {
    const entry = shellEntry({ words: ['printf', ' a\\n\\n'] });
    expect(await callEntry(entry, {}, callSettings())).toEqual({ kind: 'ran', text: ' a\n\n', truncated: false });
  });

  it('P6: gives what the outputSchema says as a value, and its JSON as the text', async () => {
    const outputs = {
      n: { format: 'json', schema: { type: 'integer' } },
      raw: { format: 'text', schema: text },
    } as const;
    // A schema of the same definition for the inputs, which would refuse the outputs.
    const entry = shellEntry({
      words: ['cat'],
      slots: [{ name: 'n', kind: 'stdin' }],
      properties: { n: text },
      outputs,
    });
    expect(await callEntry(entry, { n: ' 7\n' }, callSettings())).toEqual({
      kind: 'ran',
      text: '{"n":7,"raw":"7"}',
      truncated: false,
      structured: { n: 7, raw: '7' },
    });
    expect(await callEntry(entry, { n: '"x"' }, callSettings())).toMatchObject({
      kind: 'failed',
      code: 'output_mismatch',
      details: { issues: [{ path: '/n', message: 'must be integer' }], stdout: '"x"' },
    });
  });

  it('P6: fails with what it printed when that is not JSON, stderr too', async () => {
    const outputs = { n: { format: 'json', schema: {} } } as const;
    const entry = shellEntry({ words: ['node', '-e', 'console.error("warned"); console.log("done")'], outputs });
    expect(await callEntry(entry, {}, callSettings())).toMatchObject({
      kind: 'failed',
      code: 'output_not_json',
      details: { line: 1, column: 1, stdout: 'done\n', stderr: 'warned\n' },
    });
  });

  it('cases P10: gives no outputs when it fails', async () => {
    const outputs = { n: { format: 'json', schema: {} } } as const;
    const outcome = await callEntry(
      shellEntry({ words: ['node', '-e', 'console.log(1); process.exit(1)'], outputs }),
      {},
      callSettings(),
    );
    expect(outcome).toMatchObject({ kind: 'failed', code: 'exit_code', details: { stdout: '1\n' } });
    expect(outcome).not.toHaveProperty('structured');
  });

  it('passes an input on stdin byte for byte', async () => {
    const entry = shellEntry({ words: ['cat'], slots: [{ name: 'x', kind: 'stdin' }], properties: { x: text } });
    const x = `-rf $(touch x) \`id\` é€😀\r\n${'line\n'.repeat(100_000)}`;
    expect(textOf(await callEntry(entry, { x }, callSettings()))).toBe(x);
  });

  it('sees the end of stdin at once when no input is bound to it', async () => {
    expect(textOf(await callEntry(shellEntry({ words: ['cat'] }), {}, callSettings({ timeoutMs: 20_000 })))).toBe('');
  });

  it('X2: hands hostile text to the program as it is, and no shell reads it', async () => {
    const cwd = await scratchFolder();
    for (const x of ['$(touch x)', ';id', 'a\nb', '`id`', '| cat', '> x', '*', '~', "' x", '" x', '\\', '%PATH%']) {
      expect(textOf(await callEntry(argvProbe, { x }, callSettings({ cwd })))).toBe(JSON.stringify([x]));
    }
  });

  it('X12: sees the allow-listed environment and none of the secrets of the service', async () => {
    const env = { PATH: process.env.PATH, HOME: '/home/a', SECRET: 's', GH_TOKEN: 't', OTHER: 'o' };
    const entry = shellEntry({
      words: [node, fixture('environment.mjs')],
      tool: { requires: { env: ['GH_TOKEN', 'OTHER'] } },
    });
    const outcome = await callEntry(entry, {}, callSettings({ env, permittedEnv: ['GH_TOKEN', 'SECRET'] }));
    expect(JSON.parse(textOf(outcome))).toEqual({ PATH: process.env.PATH, HOME: '/home/a', GH_TOKEN: 't' });
  });

  it('runs a first word that is a path of the instance, in the folder of the config', async () => {
    const root = await scratchFolder();
    const cwd = await scratchFolder();
    await writeFile(join(root, 'where'), '#!/bin/sh\npwd -P\n', { mode: 0o755 });
    const outcome = await callEntry(shellEntry({ words: ['./where'] }), {}, callSettings({ cwd, root }));
    expect(textOf(outcome)).toBe(`${cwd}\n`);
  });

  it('is not disturbed by a program that closes its stdin early', async () => {
    const entry = shellEntry({
      words: [node, fixture('closes-stdin.mjs')],
      slots: [{ name: 'x', kind: 'stdin' }],
      properties: { x: text },
    });
    expect(textOf(await callEntry(entry, { x: 'a'.repeat(4_000_000) }, callSettings()))).toBe('closed');
  });

  it('hands over 30,000 arguments in their order', async () => {
    const x = Array.from({ length: 30_000 }, (_, n) => `${n}`);
    const entry = shellEntry({
      words: [node, fixture('argv.mjs')],
      slots: [{ name: 'x', kind: 'positional', repeated: true, position: 0 }],
      properties: { x: { type: 'array', items: text } },
    });
    expect(JSON.parse(textOf(await callEntry(entry, { x }, callSettings())))).toEqual(x);
  });

  it('shows U+FFFD for what the program wrote that is not UTF-8', async () => {
    const entry = shellEntry({ words: ['printf', 'a\\377\\303b\\342\\202'] });
    expect(textOf(await callEntry(entry, {}, callSettings()))).toBe('a\uFFFD\uFFFDb\uFFFD');
  });

  it('joins a code point that the program wrote in two parts', async () => {
    const entry = shellEntry({ words: [node, fixture('split-code-point.mjs')] });
    expect(textOf(await callEntry(entry, {}, callSettings()))).toBe('€');
  });
});

describe('a call that is refused', () => {
  const confirmed = shellEntry({
    words: [node, fixture('argv.mjs')],
    slots: [{ name: 'user_confirmed', kind: 'flag', flag: '--sure', joined: false, repeated: false, boolean: true }],
    properties: { user_confirmed: { type: 'boolean', const: true } },
    required: ['user_confirmed'],
    tool: { requiresConfirmation: true },
  });

  it.each([[{}], [{ user_confirmed: 'true' }], [{ user_confirmed: 1, nonsense: 1 }], [null], ['yes'], [undefined]])(
    'P13: with %j needs the confirmation first',
    async (args) => {
      expect(await callEntry(confirmed, args, callSettings())).toMatchObject({
        kind: 'refused',
        code: 'confirmation_required',
      });
    },
  );

  it('P13: runs with exactly true, which the program does not see', async () => {
    expect(textOf(await callEntry(confirmed, { user_confirmed: true }, callSettings()))).toBe('[]');
  });

  it('P13: takes an inherited confirmation for none', async () => {
    const args = Object.create({ user_confirmed: true });
    expect(await callEntry(confirmed, args, callSettings())).toMatchObject({ code: 'confirmation_required' });
  });

  it.each([
    ['X1: an option', '-rf', 'option_like_value'],
    ['X1: an option with a value', '--output=x', 'option_like_value'],
    ['X3: a NUL', 'a\u0000b', 'invalid_params'],
    ['128 KiB', 'x'.repeat(131_072), 'argument_too_large'],
    ['a value of another type', 3, 'invalid_params'],
  ])('for %s has started nothing', async (_, x, code) => {
    const entry = shellEntry({
      words: ['/nonexistent/program'],
      slots: [position],
      properties: { x: { type: typeof x } },
    });
    const bound = typeof x === 'number' ? argvProbe : entry;
    expect(await callEntry(bound, { x }, callSettings())).toMatchObject({ kind: 'refused', code });
  });

  it('passes the largest argument that is not refused', async () => {
    const x = 'x'.repeat(131_071);
    expect(textOf(await callEntry(argvProbe, { x }, callSettings()))).toBe(JSON.stringify([x]));
  });
});

describe('a call that fails', () => {
  it('has the exit code and the end of what the program said', async () => {
    const outcome = await callEntry(shellEntry({ words: [node, fixture('fails.mjs')] }), {}, callSettings());
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'exit_code',
      message: 'probe-tool ended with exit code 3',
      details: { exitCode: 3, stdout: 'two checks\n', stderr: expect.stringMatching(/^x+the last words\n$/) },
    });
    if (outcome.kind === 'failed') expect(String(outcome.details.stderr)).toHaveLength(4096);
  });

  it('names the signal that ended the program', async () => {
    const entry = shellEntry({ words: ['sh', '-c', 'kill -SEGV $$'] });
    expect(await callEntry(entry, {}, callSettings())).toMatchObject({
      kind: 'failed',
      code: 'killed',
      details: { signal: 'SIGSEGV' },
    });
  });

  it.each<[string, string, number | undefined, RegExp]>([
    ['a command that is not on PATH', 'no-such-command-here', undefined, /no-such-command-here was not found on PATH/],
    ['a program that does not exist', './tool', undefined, /\.\/tool does not exist/],
    ['a file without the execute bit', './tool', 0o644, /\.\/tool may not be executed; set its execute bit/],
    ['a script whose interpreter is missing', './script', 0o755, /interpreter that the first line of \.\/script names/],
  ])('tells of %s without a path of the service', async (_, word, mode, message) => {
    const cwd = await scratchFolder();
    if (mode !== undefined) {
      await writeFile(join(cwd, word), '#!/no/such/interpreter\n');
      await chmod(join(cwd, word), mode);
    }
    const outcome = await callEntry(shellEntry({ words: [word] }), {}, callSettings({ cwd }));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'spawn_failed', message: expect.stringMatching(message) });
    expect(JSON.stringify(outcome)).not.toContain(cwd);
  });

  it('tells a missing folder from a missing command', async () => {
    const cwd = await scratchFolder();
    await rm(cwd, { recursive: true });
    const outcome = await callEntry(shellEntry({ words: ['true'] }), {}, callSettings({ cwd }));
    expect(outcome).toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('The folder in which tools run'),
    });
    expect(JSON.stringify(outcome)).not.toContain(cwd);
  });

  it('takes what the system cannot pass for arguments that are too large', async () => {
    const env = { ...process.env, LC_HUGE: 'x'.repeat(200_000) };
    expect(await callEntry(shellEntry({ words: ['true'] }), {}, callSettings({ env }))).toMatchObject({
      kind: 'failed',
      code: 'argument_too_large',
    });
  });

  it('as a fault of toolgraph is internal_error, tells the service and shows the client no stack', async () => {
    const seen: unknown[] = [];
    const entry = shellEntry({ properties: { x: { type: 'no-such-type' } } });
    const outcome = await callEntry(entry, { x: 1 }, callSettings({ onInternalError: (error) => seen.push(error) }));
    expect(outcome).toEqual({
      kind: 'failed',
      code: 'internal_error',
      message: 'toolgraph itself failed on this call',
      details: {},
    });
    expect(seen).toEqual([expect.any(Error)]);
  });
});
