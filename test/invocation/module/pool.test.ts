import { readdir, symlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ModuleFolder } from './module-folder.js';

const endless = 'export default () => { for (;;); };';
const quick = "export default () => 'quick';";

describe('A function of a module (P10)', () => {
  it('is called with its inputs and a signal, progress and the root of the instance', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default async (inputs, { signal, progress, instanceRoot, ...rest }) => {
        progress(1, 4, 'first'); progress(2);
        return { inputs, aborted: signal.aborted, instanceRoot, rest };
      };`,
    });
    const told: object[] = [];
    const text = await folder.text('a.mjs', { inputs: { n: 1, list: ['a'] }, onProgress: (it) => told.push(it) });
    expect(JSON.parse(text)).toEqual({
      inputs: { n: 1, list: ['a'] },
      aborted: false,
      instanceRoot: folder.root,
      rest: { query: '[function]' },
    });
    expect(told).toEqual([{ progress: 1, total: 4, message: 'first' }, { progress: 2 }]);
  });

  it('passes on of a result that is cut what is kept, and one byte that says there is more', async () => {
    const folder = await ModuleFolder.make({ 'a.mjs': "export default () => '0123456789'.repeat(300_000);" });
    const pieces: number[] = [];
    const passedOn = async (keptBytes: number) => {
      pieces.length = 0;
      await folder.call('a.mjs', { outputBytes: 5, keptBytes, onOverflow: ({ length }) => pieces.push(length) });
      return pieces;
    };
    expect(await passedOn(5_000_000)).toEqual([1_048_576, 1_048_576, 902_848]);
    expect(await passedOn(7)).toEqual([8]);
    expect(await passedOn(0)).toEqual([]);
  });

  it('keeps the state of its module from call to call, and runs beside others of it', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `let open; const opened = new Promise((resolve) => { open = resolve; });
        export const wait = async () => { await opened; return 'waited'; };
        export const go = () => { open(); return 'gone'; };`,
    });
    const waiting = folder.text('a.mjs', { name: 'wait' });
    expect(await folder.text('a.mjs', { name: 'go' })).toBe('gone');
    expect(await waiting).toBe('waited');
  });

  it.each([
    ['a.js', 'module.exports = () => "common"', 'common'],
    ['a.cjs', 'exports.default = () => "default"; exports.__esModule = true;', 'default'],
    ['a.mjs', 'export { default } from "./lib/b.cjs"', 'b'],
  ])('is found in %s: %s', async (module, text, expected) => {
    const folder = await ModuleFolder.make({ [module]: text, 'lib/b.cjs': 'module.exports = () => "b"' });
    expect(await folder.text(module)).toBe(expected);
  });

  it('finds no variable in its environment but those that it is given, and another thread for others', async () => {
    const folder = await ModuleFolder.make({ 'a.mjs': 'export default () => process.env;' });
    expect(JSON.parse(await folder.text('a.mjs', { env: { A: '1' } }))).toEqual({ A: '1' });
    expect(JSON.parse(await folder.text('a.mjs', { env: { B: '2' } }))).toEqual({ B: '2' });
  });

  it('prints where the service is told of it, and no more than a bound', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default () => { console.log('out'); console.error('error'); return 'done'; };
        export const flood = async () => { for (let i = 0; i < 40; i++) { process.stdout.write('x'.repeat(10_000) + '\\n'); await new Promise(setImmediate); } return 'flooded'; };`,
    });
    expect(await folder.text('a.mjs')).toBe('done');
    await expect.poll(() => [...folder.lines].sort()).toEqual(['a.mjs: error', 'a.mjs: out']);
    expect(await folder.text('a.mjs', { name: 'flood' })).toBe('flooded');
    await expect.poll(() => folder.lines.at(-1)).toContain('prints more than is shown');
    expect(folder.lines.join('\n').length).toBeLessThan(80_000);
  });

  it('reads nothing of what the service reads', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs':
        'export default async () => { let text = ""; for await (const it of process.stdin) text += it; return "read " + text.length; };',
    });
    expect(await folder.text('a.mjs')).toBe('read 0');
  });
});

describe('A module in TypeScript', () => {
  it('runs with what only TypeScript has, and what it imports by either suffix or none', async () => {
    const folder = await ModuleFolder.make({
      'a.ts': `import { b } from './lib/b.js'; import { c } from './lib/c';\nenum Kind { One = 1 }
        export default ({ n }: { n: number }, { instanceRoot }: { instanceRoot: string }): string => [n, b, c, Kind.One, typeof instanceRoot].join();`,
      'lib/b.ts': "export const b: string = 'b';",
      'lib/c.ts': "export const c = 'c' satisfies string;",
    });
    expect(await folder.text('a.ts', { inputs: { n: 1 } })).toBe('1,b,c,1,string');
    await folder.write('lib/c.ts', "export const c: string = 'edited';");
    expect(await folder.text('a.ts', { inputs: { n: 2 } })).toBe('2,b,edited,1,string');
  });

  it('follows the paths of the tsconfig.json of the instance, and says where its syntax is wrong', async () => {
    const folder = await ModuleFolder.make({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] } } }',
      'a.mts': "import { b } from '#lib/b.js'; export default (): string => b;",
      'lib/b.ts': "export const b: string = 'b';",
      'bad.ts': 'export default (: string => 1;',
    });
    expect(await folder.text('a.mts')).toBe('b');
    expect(await folder.call('bad.ts')).toMatchObject({
      kind: 'threw',
      loading: true,
      fault: { message: expect.stringContaining('bad.ts:1:') },
    });
  });
});

describe('A module that misbehaves', () => {
  it('in an endless loop is ended by the timeout, and other modules go on meanwhile', async () => {
    const folder = await ModuleFolder.make({ 'loop.mjs': endless, 'quick.mjs': quick });
    const looping = folder.call('loop.mjs', { timeoutMs: 200 });
    expect(await folder.text('quick.mjs')).toBe('quick');
    expect(await looping).toEqual({ kind: 'stopped', reason: 'timeout' });
  });

  it('in an endless loop at its top level too', async () => {
    const folder = await ModuleFolder.make({ 'loop.mjs': `for (;;);\n${endless}` });
    expect(await folder.call('loop.mjs', { timeoutMs: 200 })).toEqual({ kind: 'stopped', reason: 'timeout' });
  });

  it('in an endless loop takes the other calls of it along, which say so; the next call has a new thread', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `${endless}\nexport const wait = (_, { progress }) => { progress(1); return new Promise(() => {}); };\nexport const quick = () => 'quick';`,
    });
    let begun = () => {};
    const waits = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const waiting = folder.call('a.mjs', { name: 'wait', onProgress: () => begun() });
    await waits;
    expect(await folder.call('a.mjs', { timeoutMs: 100 })).toEqual({ kind: 'stopped', reason: 'timeout' });
    const words = 'was ended, because another call of the module did not stop';
    expect(await waiting).toEqual({ kind: 'ended', words });
    expect(await folder.text('a.mjs', { name: 'quick' })).toBe('quick');
  });

  it('that only waits too long is given up, and the other calls of it end as they would', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `let open; const opened = new Promise((resolve) => { open = resolve; });
        export const hang = () => new Promise(() => {});
        export const wait = async (_, { progress }) => { progress(1); await new Promise((r) => setTimeout(r, 3000)); return 'waited'; };`,
    });
    let begun = () => {};
    const waits = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const waiting = folder.text('a.mjs', { name: 'wait', onProgress: () => begun() });
    await waits;
    expect(await folder.call('a.mjs', { name: 'hang', timeoutMs: 50 })).toEqual({ kind: 'stopped', reason: 'timeout' });
    expect(await waiting).toBe('waited');
  });

  it('X8: is told of a cancel by its signal', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default (_, { signal, progress }) => new Promise((resolve) => {
        signal.addEventListener('abort', () => { console.log('aborted'); resolve('late'); });
        progress(1);
      });
      export const quick = () => 'quick';`,
    });
    const controller = new AbortController();
    const call = folder.call('a.mjs', { signal: controller.signal, onProgress: () => controller.abort() });
    expect(await call).toEqual({ kind: 'stopped', reason: 'cancelled' });
    await expect.poll(() => folder.lines).toEqual(['a.mjs: aborted']);
    expect(await folder.text('a.mjs', { name: 'quick' })).toBe('quick');
    expect(await folder.call('a.mjs', { signal: AbortSignal.abort() })).toEqual({
      kind: 'stopped',
      reason: 'cancelled',
    });
  });

  it.each([
    ['process.exit', '() => process.exit(3)', 'was ended by process.exit(3)'],
    [
      'an error that nothing catches',
      "() => new Promise(() => setImmediate(() => { throw new Error('lost'); }))",
      'was ended by an error that nothing caught: lost',
    ],
    [
      'a rejection that nothing handles',
      "() => { Promise.reject(new Error('lost')); return new Promise(() => {}); }",
      'was ended by an error that nothing caught: lost',
    ],
    [
      'more memory than there is',
      '() => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }',
      'needed more than 512 MB of memory',
    ],
  ])('by %s fails its calls, and the next call has a new thread', async (_, source, words) => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default ${source};\nexport const quick = () => 'quick';`,
    });
    expect(await folder.call('a.mjs')).toEqual({ kind: 'ended', words });
    expect(await folder.text('a.mjs', { name: 'quick' })).toBe('quick');
  });

  it('by throwing gives its message without a stack, and paths of the instance are relative', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs':
        `export default () => { throw Object.assign(new RangeError('no ' + import.meta.filename + ' ' + import.meta.url + ' ' + process.execPath), { code: 'E1' }); };
        export const thrown = () => { throw { any: 'thing' }; };
        export const nasty = () => { throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } }); };`.replace(
          'import.meta.filename',
          'new URL(import.meta.url).pathname',
        ),
    });
    const answer = await folder.call('a.mjs');
    expect(answer).toMatchObject({
      kind: 'threw',
      loading: false,
      fault: { message: 'no a.mjs a.mjs …/node', name: 'RangeError', code: 'E1' },
    });
    expect(await folder.call('a.mjs', { name: 'thrown' })).toMatchObject({
      fault: { message: 'threw {"any":"thing"}' },
    });
    expect(await folder.call('a.mjs', { name: 'nasty' })).toMatchObject({
      fault: { message: 'an error without a message' },
    });
  });

  it('by not loading, or without the export, says why', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': 'throw new Error("broken");',
      'b.mjs': 'export const one = () => 1, two = 2;',
    });
    expect(await folder.call('a.mjs')).toMatchObject({ kind: 'threw', loading: true, fault: { message: 'broken' } });
    expect(await folder.call('b.mjs', { name: 'two' })).toMatchObject({
      fault: { message: 'it exports no function "two"; its functions are one' },
    });
  });

  it('by not being there, or by a link out of the instance, is missing', async () => {
    const outside = await ModuleFolder.make({ 'a.mjs': quick });
    const folder = await ModuleFolder.make({ 'folder.mjs/x': '' });
    await symlink(outside.path('a.mjs'), folder.path('link.mjs'));
    for (const module of ['none.mjs', 'folder.mjs', 'link.mjs']) {
      expect(await folder.call(module)).toEqual({ kind: 'missing' });
    }
  });
});

describe('An edit', () => {
  it.each(['a.mjs', 'lib/b.mjs', 'lib/c.cjs', 'lib/late.mjs'])('of %s is what the next call runs', async (edited) => {
    const text = (mark: string): string => `/* ${mark} */`;
    const sources: Record<string, string> = {
      'a.mjs': `import { b } from './lib/b.mjs'; import c from './lib/c.cjs';\nconst a = 'MARK'; let n = 0;
        export default async () => [a, b, c, (await import('./lib/late.mjs')).late, n++].join();`,
      'lib/b.mjs': "export const b = 'MARK';",
      'lib/c.cjs': "module.exports = require('./d.cjs') + 'MARK';",
      'lib/d.cjs': "module.exports = 'd';",
      'lib/late.mjs': "export const late = 'MARK';",
    };
    const marked = (mark: string) =>
      Object.fromEntries(
        Object.entries(sources).map(([path, source]) => [path, source.replace('MARK', mark) + text(mark)]),
      );
    const folder = await ModuleFolder.make(marked('1'));
    expect(await folder.text('a.mjs')).toBe('1,1,d1,1,0');
    expect(await folder.text('a.mjs')).toBe('1,1,d1,1,1');
    await folder.write(edited, marked('22')[edited] ?? '');
    expect((await folder.text('a.mjs')).match(/22/g)).toHaveLength(1);
    expect((await folder.text('a.mjs')).endsWith(',1')).toBe(true);
  });

  it('lets the calls that are under way end in the old module', async () => {
    const module = (mark: string) =>
      `export default async (_, { progress }) => { progress(1); await new Promise((r) => setTimeout(r, 300)); return '${mark}'; };`;
    const folder = await ModuleFolder.make({ 'a.mjs': module('old') });
    let begun = () => {};
    const begins = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const before = folder.text('a.mjs', { onProgress: () => begun() });
    await begins;
    await folder.write('a.mjs', module('newer'));
    expect(await Promise.all([before, folder.text('a.mjs')])).toEqual(['old', 'newer']);
  });

  it('that mends a module, or brings what it imports, is seen by the next call', async () => {
    const folder = await ModuleFolder.make({ 'a.mjs': "import './b.mjs';\nexport default () => 'mended';" });
    expect(await folder.call('a.mjs')).toMatchObject({ kind: 'threw', loading: true });
    await folder.write('b.mjs', '');
    expect(await folder.text('a.mjs')).toBe('mended');
  });
});

describe('Threads', () => {
  const threads = async (): Promise<number> => (await readdir('/proc/self/task')).length;
  const isLinux = process.platform === 'linux';

  it('are no more than the bound: the one that is idle for longest ends, and a call waits where all have one', async () => {
    const files = Object.fromEntries(
      [0, 1, 2, 3, 4, 5].map((i) => [
        `${i}.mjs`,
        `let n = 0; export default async ({ ms = 0 }) => { await new Promise((r) => setTimeout(r, ms)); return String(n++); };`,
      ]),
    );
    const folder = await ModuleFolder.make(files, { threads: 2 });
    for (const module of ['0.mjs', '1.mjs', '0.mjs', '2.mjs', '0.mjs']) await folder.text(module);
    // 1.mjs was idle for longest, so its thread went.
    expect([await folder.text('0.mjs'), await folder.text('1.mjs')]).toEqual(['3', '0']);
    const all = await Promise.all(Object.keys(files).map((module) => folder.text(module, { inputs: { ms: 50 } })));
    expect(all).toHaveLength(6);
    const controller = new AbortController();
    const busy = ['0.mjs', '1.mjs'].map((module) => folder.call(module, { inputs: { ms: 500 } }));
    const waiting = folder.call('2.mjs', { signal: controller.signal });
    controller.abort();
    expect(await waiting).toEqual({ kind: 'stopped', reason: 'cancelled' });
    await Promise.all(busy);
  });

  it.runIf(isLinux)('end after a time without a call, with their modules, and with the pool', async () => {
    const folder = await ModuleFolder.make({ 'a.mjs': quick, 'b.mjs': quick }, { idleMs: 1000 });
    await folder.text('a.mjs');
    const running = await threads();
    await expect.poll(threads, { timeout: 10_000 }).toBeLessThan(running);
    const lasting = await ModuleFolder.make({ 'a.mjs': quick, 'b.mjs': quick });
    await Promise.all(['a.mjs', 'b.mjs'].map((module) => lasting.text(module)));
    const both = await threads();
    lasting.pool.retain(lasting.root, new Set(['b.mjs']));
    await expect.poll(threads, { timeout: 10_000 }).toBeLessThan(both);
    const one = await threads();
    await lasting.pool.close();
    await expect.poll(threads, { timeout: 10_000 }).toBeLessThan(one);
    expect(await lasting.call('a.mjs')).toEqual({ kind: 'stopped', reason: 'cancelled' });
  });

  it('P16: end with the pool, and their calls as cancelled', async () => {
    const folder = await ModuleFolder.make({ 'a.mjs': endless });
    const call = folder.call('a.mjs');
    await sleep(100);
    await folder.pool.close();
    expect(await call).toEqual({ kind: 'stopped', reason: 'cancelled' });
  });
});

describe('A module that registers its tools on an MCP server', () => {
  const server = (name: string) =>
    `server.registerTool('${name}', { description: 'x', inputSchema: {} }, async (args, { signal }) => ({ content: [{ type: 'text', text: '${name} ' + signal.aborted }] }));`;

  it.each([
    ['registerTool', `export default (server) => { ${server('probe-tool')} };`],
    [
      'tool',
      "export default async (server) => { server.tool('probe-tool', 'x', async () => ({ content: [{ type: 'text', text: 'probe-tool false' }] })); };",
    ],
    [
      'a helper',
      `const add = (server) => { ${server('probe-tool')} };\nexport default function register(server) { add(server); }`,
    ],
    ['a destructured method', `export default ({ registerTool }) => { throw new Error('unbound'); };`],
  ])('by %s is called through a server of its own', async (way, source) => {
    const folder = await ModuleFolder.make({ 'a.mjs': source });
    if (way === 'a destructured method') {
      expect(await folder.call('a.mjs')).toMatchObject({ fault: { message: 'unbound' } });
      return;
    }
    const result = { content: [{ type: 'text', text: 'probe-tool false' }] };
    expect(JSON.parse(await folder.text('a.mjs'))).toEqual(result);
    expect(JSON.parse(await folder.text('a.mjs'))).toEqual(result);
  });

  it('registers once, however often it is called', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `let asked = 0; export default (server) => { asked += 1; server.tool('probe-tool', 'x', async () => ({ content: [{ type: 'text', text: String(asked) }] })); };`,
    });
    const texts = await Promise.all([0, 1, 2].map(() => folder.text('a.mjs')));
    expect(new Set(texts).size).toBe(1);
    expect(await folder.text('a.mjs')).toBe(texts[0]);
  });

  it('under another name says which there are', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default (server) => { ${server('other')} };`,
      'b.mjs': 'export default (server) => { server.tool; };',
    });
    expect(await folder.call('a.mjs')).toMatchObject({
      fault: { message: 'the module registers other; expected probe-tool' },
    });
    expect(await folder.call('b.mjs')).toMatchObject({
      fault: { message: 'the module registers no tool; expected probe-tool' },
    });
  });

  it('is told apart from a function with an input of that name, and from one that copies its inputs', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default (inputs) => [inputs.tool ?? 'none', Object.keys(inputs), JSON.stringify(structuredClone(inputs))].join();`,
      'b.mjs': 'export default (inputs) => [Object.keys({ ...inputs }), inputs.constructor === Object].join();',
    });
    expect(await folder.text('a.mjs', { inputs: { tool: 'x' } })).toBe('x,tool,{"tool":"x"}');
    expect(await folder.text('a.mjs', { declared: ['tool'] })).toBe('none,,{}');
    expect(await folder.text('b.mjs', { inputs: { a: 1 } })).toBe('a,true');
  });

  it('passes progress on, and a cancel', async () => {
    const folder = await ModuleFolder.make({
      'a.mjs': `export default (server) => { server.registerTool('probe-tool', {}, async ({ signal, sendNotification, _meta }) => {
        await sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress: 1 } });
        return new Promise((resolve) => signal.addEventListener('abort', () => { console.log('aborted'); resolve({ content: [] }); }));
      }); };`,
    });
    const controller = new AbortController();
    const call = folder.call('a.mjs', { signal: controller.signal, onProgress: () => controller.abort() });
    expect(await call).toEqual({ kind: 'stopped', reason: 'cancelled' });
    await expect.poll(() => folder.lines).toEqual(['a.mjs: aborted']);
  });
});

it('A module with an odd name loads', async () => {
  const folder = await ModuleFolder.make({ 'so so/ä #1%.mjs': quick });
  expect(await folder.text('so so/ä #1%.mjs')).toBe('quick');
});
