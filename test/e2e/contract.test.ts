import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, watch } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ran, run, startCli } from '../cli/cli-process.js';
import { answer } from '../mcp/answer-2025.js';
import { serve } from '../mcp/serve-once.js';
import { makeInstance, serveCommand } from './harness.js';
import { type Instance, toolNode, typeIri } from './instance.js';
import { isRunning } from './processes.js';

const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const listServer = fixture('fixtures/list-server.mjs');
const oddServer = fixture('../mcp/fixtures/odd-server.mjs');

interface Report {
  ok: boolean;
  server: { asked: string; name?: string; protocol?: string; error?: string; stderr?: string };
  counts: Record<string, number>;
  tools: {
    id?: string;
    name?: string;
    state: string;
    code?: string;
    drift: {
      code: string;
      message: string;
      node?: { document: string; line: number };
      server?: { pointer: string };
      example?: unknown;
    }[];
    unchecked: { message: string; keyword?: string; pointer?: string }[];
  }[];
}

/** An instance with a tool of every kind that the comparison tells apart. */
async function sampleInstance(): Promise<Instance> {
  const words = {
    inputs: [{ name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } }],
    outputs: [],
  };
  const report = { inputs: [], outputs: [{ name: 'n', schema: typeIri('Count'), from: { stdout: 'json' } }] };
  const instance = await makeInstance([
    toolNode('say-word', { io: words, effect: 'read' }),
    toolNode('count-all', { io: report }),
    toolNode('gated', { requiresConfirmation: true, effect: 'destructive' }),
    toolNode('by-hand', { invoke: { manual: true } }),
    toolNode('hidden', { tier: 'internal' }),
    toolNode('trial', { tier: 'experimental' }),
  ]);
  await instance.writeTypes({ Count: { type: 'integer', minimum: 0 } });
  return instance;
}

async function contract(
  instance: Instance,
  options: readonly string[],
  command: readonly string[] = [],
): Promise<Ran & { report: Report }> {
  const words = command.length === 0 ? [] : ['--', ...command];
  const ran = await run(['contract', ...options, '--json', instance.root, ...words]);
  return { ...ran, report: JSON.parse(ran.stdout) as Report };
}

/** The list that `toolgraph serve` gives, in a file, with changes. */
async function listFile(instance: Instance, change: (tools: Record<string, Listed>) => unknown[]): Promise<string> {
  const { stdout } = await run(['tools', instance.root, '--json']);
  const { tools } = JSON.parse(stdout) as { tools: Listed[] };
  const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  await instance.write('list.json', change(byName));
  return instance.path('list.json');
}

interface Listed {
  name: string;
  inputSchema: { properties: Record<string, object>; required?: string[] };
  outputSchema?: object;
}

/** Resolves when the server has written its id, and so runs. */
async function serverPid(instance: Instance): Promise<number> {
  for await (const { filename } of watch(instance.root)) {
    if (filename !== 'pid') continue;
    const pid = Number(await readFile(instance.path('pid'), 'utf8'));
    if (pid > 0) return pid;
  }
  throw new Error('the folder is not watched any more');
}

describe('toolgraph contract', () => {
  it('agrees entirely with toolgraph serve on the same instance', async () => {
    const instance = await sampleInstance();
    const { code, report } = await contract(instance, [], serveCommand(instance));
    expect(report.tools.filter(({ state }) => state !== 'agrees' && state !== 'absent')).toEqual([]);
    expect(report).toMatchObject({
      ok: true,
      counts: { agrees: 3, drift: 0, absent: 3, unchecked: 0 },
      server: { name: 'toolgraph', protocol: '2026-07-28' },
    });
    expect(code).toBe(0);
  });

  it.each([
    ['1', '2025-11-25'],
    ['2', '2026-07-28'],
    ['modern', '2026-07-28'],
  ])('reads the list of a server of the SDK %s over both wires', async (major, protocol) => {
    const instance = await sampleInstance();
    const file = await listFile(instance, (tools) => Object.values(tools));
    const stdio = await contract(instance, [], [process.execPath, listServer, major, 'stdio', file]);
    expect(stdio.report).toMatchObject({ ok: true, counts: { agrees: 3 }, server: { protocol } });
    const child = spawn(process.execPath, [listServer, major, 'http', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const http = await contract(instance, ['--url', `http://127.0.0.1:${Number(port)}/mcp`]);
    expect(http.report).toMatchObject({ ok: true, counts: { agrees: 3 }, server: { protocol } });
    expect(http.report.tools).toEqual(stdio.report.tools);
  });

  it('tells of drift of each kind, where it is on both sides, and fails', async () => {
    const instance = await sampleInstance();
    const file = await listFile(instance, ({ say_word, count_all }) => [
      {
        ...say_word,
        inputSchema: {
          ...say_word?.inputSchema,
          properties: { word: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
        annotations: { readOnlyHint: false },
      },
      { ...count_all, outputSchema: { type: 'object' } },
      { name: 'gated', inputSchema: { type: 'object', additionalProperties: false } },
      { name: 'hidden', inputSchema: { type: 'object', additionalProperties: false } },
      { name: 'trial', inputSchema: { type: 'object', additionalProperties: false } },
      { name: 'stray', inputSchema: { type: 'object' } },
    ]);
    const { code, report } = await contract(instance, [], [process.execPath, listServer, '1', 'stdio', file]);
    expect(code).toBe(1);
    const found = report.tools.map(({ id, name, state, drift }) => [id ?? name, state, drift.map((one) => one.code)]);
    expect(found).toEqual([
      ['by-hand', 'absent', []],
      ['count-all', 'drift', ['output-wider', 'output-undescribed', 'output-wider']],
      ['gated', 'drift', ['confirmation-missing']],
      ['hidden', 'drift', ['tool-internal']],
      ['say-word', 'drift', ['hint-contradicted', 'input-wider']],
      ['trial', 'agrees', []],
      ['stray', 'drift', ['tool-undescribed']],
    ]);
    const [, wider] = report.tools.find(({ id }) => id === 'say-word')?.drift ?? [];
    expect(wider).toMatchObject({
      message: expect.stringContaining('for input "word", the node does not'),
      node: { document: 'graph/tools/say-word.json' },
      server: { pointer: expect.stringContaining('/inputSchema/properties/word') },
      example: { word: null },
    });
    expect(wider?.node?.line).toBeGreaterThan(1);
  });

  it('fails on what the server accepts beyond the nodes, unless that is allowed', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const file = await listFile(instance, ({ one }) => [{ ...one, inputSchema: { type: 'object' } }]);
    const server = [process.execPath, listServer, '2', 'stdio', file];
    expect(await contract(instance, [], server)).toMatchObject({ code: 1, report: { ok: false } });
    expect(await contract(instance, ['--allow-wider'], server)).toMatchObject({
      code: 0,
      report: { ok: true, counts: { drift: 1 } },
    });
  });

  it('decides patterns that are written differently', async () => {
    const instance = await makeInstance([
      toolNode('one', {
        io: { inputs: [{ name: 'a', schema: typeIri('Word'), arg: { positional: 0 } }], outputs: [] },
      }),
    ]);
    const withPattern = (pattern: string) =>
      listFile(instance, ({ one }) => [
        { ...one, inputSchema: { ...one?.inputSchema, properties: { a: { type: 'string', pattern } } } },
      ]);
    const same = await contract(
      instance,
      [],
      [process.execPath, listServer, '1', 'stdio', await withPattern('^(?=.{1,20}$)[a-z][a-z]*$')],
    );
    expect(same.report).toMatchObject({ ok: true, counts: { agrees: 1 } });
    const other = await contract(
      instance,
      [],
      [process.execPath, listServer, '1', 'stdio', await withPattern('^[a-y0]{1,20}$')],
    );
    expect(other.report.tools[0]?.drift).toMatchObject([
      { code: 'input-refused', example: { a: 'z' } },
      { code: 'input-wider', example: { a: '0' } },
    ]);
    const hostile = await contract(
      instance,
      [],
      [process.execPath, listServer, '1', 'stdio', await withPattern('^(?<=x)(a+)+$')],
    );
    expect(hostile).toMatchObject({
      code: 1,
      report: { tools: [{ state: 'unchecked', unchecked: [{ keyword: 'pattern' }, {}] }] },
    });
  });

  it('is told in text that a person can act on', async () => {
    const instance = await makeInstance([toolNode('one'), toolNode('hand', { invoke: { manual: true } })]);
    const file = await listFile(instance, ({ one }) => [
      { ...one, inputSchema: { type: 'object', required: ['x\u001b'] } },
    ]);
    const { code, stdout } = await run([
      'contract',
      instance.root,
      '--',
      process.execPath,
      listServer,
      '1',
      'stdio',
      file,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'error input-refused: one: the server requires input "x\\u001b", the node does not (server: /inputSchema)',
    );
    expect(stdout).toContain('  example: {}\n  to do: ');
    expect(stdout).toContain('deliberately absent: hand: manual-only: ');
    expect(stdout).toMatch(/2 tools: 0 agree, 1 drift, 1 deliberately absent, 0 could not be checked\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('could not check anything with a server that gives no list, and says why', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const { code, report } = await contract(instance, [], [process.execPath, oddServer, 'exit']);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      ok: false,
      counts: { unchecked: 1 },
      server: { asked: process.execPath, stderr: 'the configuration is missing\n' },
    });
    const { stdout } = await run(['contract', instance.root, '--', process.execPath, oddServer, 'exit']);
    expect(stdout).toContain('it ended with exit code 3\n  its stderr: the configuration is missing\n');
  });

  it('could not check a server of which an entry is no tool', async () => {
    const instance = await makeInstance([]);
    const { code, stdout } = await run(['contract', instance.root, '--', process.execPath, oddServer, 'bare entries']);
    expect(code).toBe(1);
    expect(stdout).toContain('could not check: entry 1 of its tools/list has no name');
  });

  it('could not check where a document cannot be read', async () => {
    const instance = await makeInstance([toolNode('one')]);
    await instance.write('graph/tools/broken.json', '{');
    const { code, stdout } = await run(['contract', instance.root, '--', ...serveCommand(instance, ['--keep-going'])]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/broken\.json:1:\d+: unreadable: .*\(so the comparison is not complete\)/);
  });

  it('takes its server along when it is interrupted', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const told = serverPid(instance);
    const child = startCli([
      'contract',
      instance.root,
      '--',
      process.execPath,
      oddServer,
      'tells its id',
      instance.path('pid'),
    ]);
    const pid = await told;
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(130);
    expect(await isRunning(pid)).toBe(false);
  });

  it.each([[], ['--json']])('tells a name of any length in few words: %j', async (...options) => {
    const instance = await makeInstance([]);
    const { stdout } = await run([
      'contract',
      instance.root,
      ...options,
      '--',
      process.execPath,
      oddServer,
      'long name',
    ]);
    expect(stdout).toContain(`${'n'.repeat(190)}`);
    expect(stdout).not.toContain('n'.repeat(210));
  });

  it('says what its server leaves running outside its process group', async () => {
    const instance = await makeInstance([]);
    const file = instance.path('daemon');
    const server = [process.execPath, oddServer, 'leaves a daemon', file];
    const { stderr } = await run(['contract', instance.root, '--', ...server]);
    const pid = Number(await readFile(file, 'utf8'));
    onTestFinished(() => void process.kill(pid));
    expect(stderr).toBe(
      `toolgraph: the server left processes running that had left its process group: ${pid}; end them where they are not wanted\n`,
    );
  });

  it('never prints a header', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const url = await serve(
      (request, response) => void response.writeHead(500).end(`what is ${request.headers['x-key']}?`),
    );
    const { code, stdout, stderr } = await run([
      'contract',
      instance.root,
      '--url',
      url.href,
      '--header',
      'X-Key: hush-hush',
    ]);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain('hush-hush');
    const wrong = await run(['contract', instance.root, '--url', url.href, '--header', 'hush-hush']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.not.stringContaining('hush-hush') });
  });

  it.each([[], ['--json']])(
    'never prints what a server sends back of a header, in text and in JSON: %j',
    async (...options) => {
      const instance = await makeInstance([toolNode('one')]);
      const echoed = ['TOK123', Buffer.from('TOK123').toString('base64')];
      const failing = await serve(
        (_, response) => void response.writeHead(500).end(`no entry for ${echoed.join(', ')}`),
      );
      const properties = Object.fromEntries(echoed.map((word) => [word, { type: 'string' }]));
      const echoing = await serve((request, response) =>
        answer(request, response, {
          tools: [
            { name: 'one', inputSchema: { type: 'object', properties, required: echoed } },
            ...echoed.map((name) => ({ name, inputSchema: { type: 'object' } })),
          ],
        }),
      );
      for (const url of [failing, echoing]) {
        const header = ['--header', 'Authorization: Bearer TOK123'];
        const { code, stdout, stderr } = await run([
          'contract',
          instance.root,
          '--url',
          url.href,
          ...header,
          ...options,
        ]);
        expect(code).toBe(1);
        expect(stdout).toContain('…');
        for (const word of echoed) expect(stdout + stderr).not.toContain(word);
      }
    },
  );

  it.each<[string[], string]>([
    [[], 'no server: write its command after "--", or its address with --url'],
    [['--url', 'ftp://example.org'], 'Expected a URL that begins with http:// or https://.'],
    [['--url', 'http://u:p@example.org'], '--url: no user or password in it; use --header'],
    [['--url', 'http://example.org', '--', 'node'], '--url and a command: one server at a time'],
    [['--header', 'A: b', '--', 'node'], '--header is for --url'],
    [['--timeout', '0', '--', 'node'], 'Expected seconds, up to 3600.'],
    [['more', '--', 'node'], 'more than one DIR'],
  ])('refuses wrong usage: %j', async (words, message) => {
    const instance = await makeInstance([]);
    const { code, stderr } = await run(['contract', instance.root, ...words]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('compares the tools of included instances too, under their own prefixes', async () => {
    const [instance, other] = [await makeInstance([toolNode('one')]), await makeInstance([toolNode('one')])];
    await other.config({ prefix: 'their' });
    await instance.config({ include: [other.root] });
    const { code, report } = await contract(instance, [], serveCommand(instance));
    expect(report.tools.map(({ name, state }) => [name, state])).toEqual([
      ['their_one', 'agrees'],
      ['one', 'agrees'],
    ]);
    expect(code).toBe(0);
  });

  it('takes the current directory where only a command is given', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const { code } = await run(['contract', '--', ...serveCommand(instance)], { cwd: instance.root });
    expect(code).toBe(0);
  });
});
