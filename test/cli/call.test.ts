import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/deadline.js';
import { Instance, toolNode, typeIri } from '../e2e/instance.js';
import { isRunning } from '../e2e/processes.js';
import { run, startCli, TerminalSession } from './cli-process.js';

const name = { name: 'name', schema: typeIri('Word'), required: true, arg: { positional: 0 } };

/** As those of an image are: no text. */
const imageBytes = Uint8Array.from({ length: 256 }, (_, i) => i);

let made: Instance;
afterAll(() => made.dispose());

beforeAll(async () => {
  made = await Instance.make([
    toolNode('say-hello', { invoke: { shell: 'echo hello' }, io: { inputs: [name], outputs: [] } }),
    toolNode('fails', { invoke: { shell: './fails.sh' } }),
    toolNode('ask', { requiresConfirmation: true }),
    toolNode('late', { tier: 'experimental' }),
    toolNode('hidden', { tier: 'internal' }),
    toolNode('colours', { invoke: { shell: './colours.sh' } }),
    toolNode('sleeps', { invoke: { shell: './sleeps.sh' } }),
    toolNode('long', { invoke: { shell: 'seq 9' }, limits: { outputBytes: 4 } }),
    toolNode('long-fails', { invoke: { shell: './long-fails.sh' }, limits: { outputBytes: 4 } }),
    toolNode('counts', {
      invoke: { shell: 'printf \'{"n":3}\'' },
      io: { outputs: [{ name: 'n', schema: typeIri('Count'), from: { stdout: 'json', pointer: '/n' } }] },
    }),
    toolNode('lists', {
      invoke: { shell: "printf 'a\\nb\\n\\n'" },
      io: { outputs: [{ name: 'lines', schema: typeIri('Text'), from: { stdout: 'text' } }] },
    }),
    toolNode('draws', {
      invoke: { shell: 'cat image.png' },
      io: { outputs: [{ name: 'image', schema: typeIri('Png'), from: { stdout: 'text' } }] },
    }),
  ]);
  const Png = { type: 'string', contentMediaType: 'image/png' };
  await made.writeTypes({ Count: { type: 'integer' }, Text: { type: 'string' }, Png });
  await made.write('image.png', imageBytes);
  await made.script('fails.sh', ['echo said', 'echo broken >&2', 'exit 3']);
  await made.script('long-fails.sh', ['seq 9', 'exit 3']);
  await made.script('colours.sh', ["printf '\\033[31mred\\tx\\n'"]);
  await made.script('sleeps.sh', ['echo $$ > pid', 'exec sleep 300']);
});

describe('toolgraph call', () => {
  it.each(['say-hello', 'say_hello'])('prints the output of the tool on stdout: %s', async (id) => {
    const { root } = made;
    const ran = await run(['call', id, root, '--args', '{"name":"world"}']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout.trimEnd()).toBe('hello world');
  });

  it('P6: prints outputs as JSON, and the text of a tool that has no other output', async () => {
    expect(await run(['call', 'counts', made.root])).toMatchObject({ code: 0, stdout: '{\n  "n": 3\n}\n' });
    expect(await run(['call', 'lists', made.root])).toMatchObject({ code: 0, stdout: 'a\nb\n' });
  });

  it('P6: prints an image byte for byte into a file, and says at a terminal what there is', async () => {
    const file = made.path('drawn');
    await new TerminalSession(['call', 'draws', made.root], {}, file).ended();
    expect(new Uint8Array(await readFile(file))).toEqual(imageBytes);
    const terminal = new TerminalSession(['call', 'draws', made.root]);
    await terminal.ended();
    expect(terminal.output.trim()).toBe('[image image/png, 256 bytes]');
  });

  it('X11: prints what is cut without a link that would end with the process, and an error as ever', async () => {
    const stdout = '1\n2\n\n[output cut at 4 bytes; 18 bytes in all]';
    expect(await run(['call', 'long', made.root])).toMatchObject({ code: 0, stdout });
    const failed = await run(['call', 'long-fails', made.root]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(failed.stderr)).toMatchObject({ code: 'exit_code', details: { exitCode: 3 } });
  });

  it('reads the arguments from stdin', async () => {
    const { root } = made;
    const { code, stdout } = await run(['call', 'say-hello', root, '--args', '-'], { input: '{"name":"world"}' });
    expect([code, stdout.trimEnd()]).toEqual([0, 'hello world']);
  });

  it('exits 2 on arguments from stdin that are no JSON object', async () => {
    const { root } = made;
    const { code, stdout, stderr } = await run(['call', 'say-hello', root, '--args', '-'], { input: '' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--args is not JSON');
  });

  it.each([
    ['say-hello', '{}', 'invalid_params'],
    ['say-hello', '{"name":"$(id)"}', 'invalid_params'],
    ['ask', '{}', 'confirmation_required'],
    ['late', '{}', 'tool_unavailable'],
    ['hidden', '{}', 'unknown_tool'],
    ['nothing-like-it', '{}', 'unknown_tool'],
    ['fails', '{}', 'exit_code'],
  ])('prints on stderr why %s with %s did not do, and exits 1', async (id, args, code) => {
    const { root } = made;
    const ran = await run(['call', id, root, '--args', args]);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    const refusal = JSON.parse(ran.stderr);
    expect(Object.keys(refusal)).toEqual(['code', 'message', 'details']);
    expect(refusal.code).toBe(code);
    expect(ran.stderr).not.toContain(root);
  });

  it('names the tool that may have been meant', async () => {
    const { root } = made;
    const { stderr } = await run(['call', 'say-helo', root]);
    expect(JSON.parse(stderr).message).toBe('unknown tool say-helo; did you mean say-hello?');
  });

  it('gives a pipe what the tool printed, and a terminal nothing that it would act on', async () => {
    const { root } = made;
    expect((await run(['call', 'colours', root])).stdout).toContain('\u001b[31mred\tx');
    const session = new TerminalSession(['call', 'colours', root]);
    expect(await session.ended()).toBe(0);
    expect(session.output).toContain('\\u001b[31mred');
    expect(session.output).not.toContain('\u001b[31m');
  });

  it('ends the tool with itself when it is interrupted', async () => {
    const child = startCli(['call', 'sleeps', made.root]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    let pid = Number.NaN;
    await eventually(async () => {
      pid = Number.parseInt(await readFile(made.path('pid'), 'utf8').catch(() => ''), 10);
      return pid > 0;
    }, 'the tool runs and has written its pid');
    expect(await isRunning(pid)).toBe(true);
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    expect(JSON.parse(stderr).code).toBe('cancelled');
    await eventually(async () => !(await isRunning(pid)), 'the tool has ended');
  });
});
