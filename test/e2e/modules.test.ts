import { rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, type ServerProcess, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';
import { connectCurrentSdk, connectFirstSdk } from './sdk-clients.js';
import { eras, type Session } from './session.js';

/** Longer than what one change can be told of later: the quiet time after it, and a module that is loaded again. */
const settleMs = 1500;

function moduleNode(
  id: string,
  fields: Record<string, unknown> = {},
  module = `src/${id}.mjs`,
): Record<string, unknown> {
  return toolNode(id, { invoke: { inProcess: { module } }, ...fields });
}

interface Served {
  readonly instance: Instance;
  readonly server: ServerProcess;
  readonly session: Session;
}

async function serve(
  sources: Readonly<Record<string, string>>,
  nodes: readonly Record<string, unknown>[],
): Promise<Served> {
  const instance = await makeInstance(nodes);
  for (const [path, text] of Object.entries(sources)) await instance.write(path, text);
  const server = startServer(instance);
  return { instance, server, session: await server.open('2026-07-28') };
}

async function omitted(session: Session): Promise<unknown> {
  return (await session.read('toolgraph://omissions')).omissions;
}

const words = { inputs: [{ name: 'word', schema: typeIri('Word'), required: true }] };
const echo = 'export default ({ word }) => ({ word });';

describe('P10: a Tool that is a function of a module', () => {
  it.each(eras)('is listed with its inputs, called and refused as any other, in the era %s', async (era) => {
    const instance = await makeInstance([
      moduleNode('echo', {
        io: {
          ...words,
          outputs: [{ name: 'said', schema: typeIri('Word'), from: { result: true, pointer: '/word' } }],
        },
      }),
    ]);
    await instance.write('src/echo.mjs', echo);
    const session = await startServer(instance).open(era);
    const { tools } = await session.list();
    expect(tools).toMatchObject([
      { name: 'echo', inputSchema: { required: ['word'] }, outputSchema: { required: ['said'] } },
    ]);
    expect(await session.call('echo', { word: 'hello' })).toMatchObject({
      isError: false,
      structured: { said: 'hello' },
      text: '{"said":"hello"}',
    });
    expect((await session.call('echo', { word: 'No!' })).refusal).toMatchObject({ code: 'invalid_params' });
  });

  it('is called by the clients of both SDKs', async () => {
    const instance = await makeInstance([moduleNode('echo', { io: { ...words, outputs: [] } })]);
    await instance.write('src/echo.mjs', echo);
    for (const client of [await connectFirstSdk(instance), await connectCurrentSdk(instance, 'auto')]) {
      expect(await client.names()).toEqual(['echo']);
      expect(await client.callText('echo', { word: 'hello' })).toBe('{"word":"hello"}');
      await client.close();
    }
  });

  it('gives nothing but protocol on stdout, whatever it prints, and tells stderr of it', async () => {
    const source = `import fs, { readFileSync, writeSync } from 'node:fs';
      import { execSync, spawn, spawnSync } from 'node:child_process';
      import { once } from 'node:events';
      export default async () => {
        console.log('{"jsonrpc":"2.0"}'); process.stdout.write('loose'); console.error('stderr');
        writeSync(1, 'sync\\n'); fs.writeFileSync(1, 'file\\n');
        execSync('echo shell; cat', { stdio: 'inherit' }); spawnSync('echo', ['child'], { stdio: ['inherit', 'inherit', 'inherit'] });
        await once(spawn('cat', { stdio: [0, 1, 2] }), 'close'); await once(spawn('echo', ['async'], { stdio: 'inherit' }), 'close');
        return 'read ' + readFileSync(0).length;
      };`;
    const { server, session } = await serve({ 'src/loud.mjs': source }, [moduleNode('loud')]);
    expect((await session.call('loud')).text).toBe('read 0');
    for (const said of ['sync', 'file', 'shell', 'child', 'async'])
      await server.stderr.next((line) => line.includes(said));
    await server.stderr.next((line) => line.includes('module src/loud.mjs: {"jsonrpc":"2.0"}'));
    await server.stderr.next((line) => line.includes('module src/loud.mjs: stderr'));
    expect(await session.names()).toEqual(['loud']);
  });

  it('fails without a stack or a path of this machine, and the stack goes to stderr', async () => {
    const source =
      "export default () => { throw new Error('no ' + new URL('data.json', import.meta.url).pathname + ' beside ' + process.execPath); };";
    const { server, session } = await serve({ 'src/bad.mjs': source }, [moduleNode('bad')]);
    const { refusal, text } = await session.call('bad');
    expect(refusal).toEqual({
      code: 'module_failed',
      message: expect.stringMatching(/^bad failed: no src\/data\.json beside …\/[^/]+$/),
      details: { name: 'Error' },
    });
    expect(text).not.toContain('    at ');
    await server.stderr.next((line) => line.includes('at default'));
  });

  it.each([
    ['undefined', 'undefined', ''],
    ['a BigInt', '10n', '"10"'],
    ['a cycle', '((it) => { it.self = it; return it; })({})', '{"self":"[circular]"}'],
    ['a getter that throws', "({ get a() { throw new Error('no'); } })", '"[not readable: Error]"'],
  ])('turns %s into data', async (_, expression, text) => {
    const { session } = await serve({ 'src/odd.mjs': `export default () => ${expression};` }, [moduleNode('odd')]);
    expect(await session.call('odd')).toMatchObject({ isError: false, text });
  });

  it('passes an MCP result through, and runs what registers itself on a server', async () => {
    const sources = {
      'src/result.mjs':
        "export const result = () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });",
      'src/server-tool.mjs':
        "export function registerIt(server) { server.registerTool('server_tool', { inputSchema: {} }, async () => ({ content: [{ type: 'text', text: 'registered' }] })); }",
    };
    const registered = moduleNode('server-tool', {
      invoke: { inProcess: { module: 'src/server-tool.mjs', register: 'registerIt' } },
    });
    const { session } = await serve(sources, [moduleNode('result'), registered]);
    expect(await session.result('tools/call', { name: 'result', arguments: {} })).toMatchObject({
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    });
    expect((await session.call('server_tool')).text).toBe('registered');
  });

  it.each([
    ['an endless loop', 'for (;;);', 'timeout'],
    ['process.exit', 'process.exit(1);', 'module_failed'],
    ['a lost rejection', "Promise.reject(new Error('lost')); return new Promise(() => {});", 'module_failed'],
  ])('X5: by %s fails its own call, and others go on', async (_, statements, code) => {
    const sources = {
      'src/wild.mjs': `export default ({ word }) => { if (word === 'tame') return 'tame'; ${statements} };`,
      'src/slow.mjs': "export default () => new Promise((resolve) => setTimeout(resolve, 5500, 'slow'));",
    };
    const wild = moduleNode('wild', { io: { ...words, outputs: [] }, limits: { timeoutMs: 4000 } });
    const { session } = await serve(sources, [wild, moduleNode('slow')]);
    const slow = session.call('slow');
    expect((await session.call('wild', { word: 'wild' })).refusal?.code).toBe(code);
    expect((await session.call('wild', { word: 'tame' })).text).toBe('tame');
    expect((await slow).text).toBe('slow');
  });

  it.each(eras)('X8: is ended by a cancel in the era %s, and the server goes on', async (era) => {
    const instance = await makeInstance([moduleNode('loop')]);
    await instance.write('src/loop.mjs', "console.log('begun'); export default () => { for (;;); };");
    const server = startServer(instance);
    const session = await server.open(era);
    const { id } = session.send('tools/call', { name: 'loop', arguments: {} });
    await server.stderr.next((line) => line.includes('begun'));
    session.cancel(id);
    expect(await session.names()).toEqual(['loop']);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('P10: a module under change', () => {
  it('is what the next call runs, with what it imports; no list changes for it', async () => {
    const sources = {
      'src/edit.mjs': "import { said } from './lib/said.mjs'; export default () => said;",
      'src/lib/said.mjs': "export const said = 'one';",
    };
    const { instance, session } = await serve(sources, [moduleNode('edit')]);
    expect((await session.call('edit')).text).toBe('one');
    await instance.write('src/lib/said.mjs', "export const said = 'other';");
    expect((await session.call('edit')).text).toBe('other');
    await instance.replace('src/lib/said.mjs', "export const said = 'third one';");
    expect((await session.call('edit')).text).toBe('third one');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
  });

  it('that does not load is retracted with one notification and its reason, and comes back when it is mended', async () => {
    const { instance, session } = await serve({ 'src/broken.mjs': "throw new Error('not yet: ' + import.meta.url);" }, [
      moduleNode('broken'),
      toolNode('other'),
    ]);
    await session.list();
    await session.listChanged();
    expect(await session.names()).toEqual(['other']);
    expect(await omitted(session)).toMatchObject([
      {
        id: 'broken',
        code: 'module-failed',
        reason: 'its module src/broken.mjs does not load: not yet: src/broken.mjs',
      },
    ]);
    expect((await session.call('broken')).refusal).toMatchObject({ code: 'tool_unavailable' });
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.write('src/broken.mjs', "import './late.mjs'; export default () => 'mended';");
    await eventually(async () => JSON.stringify(await omitted(session)).includes('late.mjs'), 'the new reason is told');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.write('src/late.mjs', '');
    await session.listChanged();
    expect(await session.names()).toEqual(['broken', 'other']);
    expect((await session.call('broken')).text).toBe('mended');
  });

  it('that breaks while it is served is retracted, or another arm takes over', async () => {
    const both = toolNode('both', { invoke: { inProcess: { module: 'src/both.mjs' }, shell: 'echo shell' } });
    const alone = moduleNode('alone', {}, 'src/both.mjs');
    const { instance, session } = await serve({ 'src/both.mjs': "export default () => 'function';" }, [both, alone]);
    await session.list();
    expect((await session.call('both')).text).toBe('function');
    expect(await session.listChangesDuring(settleMs)).toBe(0);
    await instance.write('src/both.mjs', 'export default 1;');
    await session.listChanged();
    expect(await session.names()).toEqual(['both']);
    expect((await session.call('both')).text).toBe('shell\n');
    expect(await omitted(session)).toMatchObject([{ id: 'alone', code: 'module-failed' }]);
  });

  it('that is missing appears when it is made, and goes when it goes', async () => {
    const { instance, session } = await serve({}, [moduleNode('late'), toolNode('other')]);
    expect(await session.names()).toEqual(['other']);
    expect(await omitted(session)).toMatchObject([
      { id: 'late', code: 'module-not-found', reason: 'its module src/late.mjs is not a file of the instance' },
    ]);
    await instance.write('src/late.mjs', "export const late = () => 'here';");
    await session.listChanged();
    expect(await session.names()).toEqual(['late', 'other']);
    expect((await session.call('late')).text).toBe('here');
    await rename(instance.path('src/late.mjs'), instance.path('src/gone.mjs'));
    await session.listChanged();
    expect(await session.names()).toEqual(['other']);
  });

  it('the config may prefer another arm, and the change is told', async () => {
    const both = toolNode('both', { invoke: { inProcess: { module: 'src/both.mjs' }, shell: 'echo shell' } });
    const { instance, session } = await serve({ 'src/both.mjs': "export default () => 'function';" }, [both]);
    await session.list();
    await instance.config({ arms: ['shell'] });
    await session.listChanged();
    expect((await session.call('both')).text).toBe('shell\n');
  });
});

it('P10: a start does not wait for a module that takes long to load', async () => {
  const source =
    "await new Promise((resolve) => setTimeout(resolve, 3000)); console.log('loaded'); export default () => 'slow';";
  const { server, session } = await serve({ 'src/slow.mjs': source }, [moduleNode('slow')]);
  expect(await session.names()).toEqual(['slow']);
  expect(server.stderrText).not.toContain('loaded');
  expect((await session.call('slow')).text).toBe('slow');
});

it('P10: a node that goes takes its module along', async () => {
  const source = "setInterval(() => console.log('tick'), 100); export default () => 'x';";
  const { instance, server, session } = await serve({ 'src/tick.mjs': source }, [
    moduleNode('tick'),
    toolNode('other'),
  ]);
  await session.call('tick');
  await server.stderr.next((line) => line.includes('tick'));
  await instance.remove(nodePath('tick'));
  await session.listChanged();
  await eventually(async () => {
    const before = server.stderr.all.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    return server.stderr.all.length === before;
  }, 'nothing ticks any more');
});
