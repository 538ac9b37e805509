import { describe, expect, it } from 'vitest';
import { ModuleHealth } from '../src/module-health.js';
import type { Entry } from '../src/projection/generation.js';
import { moduleKey } from '../src/projection/in-process-arm.js';
import { ModuleFolder } from './invocation/module/module-folder.js';
import { shellEntry } from './invocation/shell-entry.js';

function entryOf(module: string, exports: readonly [string, ...string[]] = ['default']): Entry {
  return { ...shellEntry({}), binding: { arm: 'inProcess', module, exports, names: ['x'] } };
}

async function health(files: Readonly<Record<string, string>>, entries: readonly Entry[], timeoutMs = 30_000) {
  const folder = await ModuleFolder.make(files);
  const modules = new ModuleHealth({ root: folder.root, env: {}, pool: folder.pool });
  const settings = { permittedEnv: [], timeoutMs };
  modules.follow(entries, () => true, settings);
  const failures = (): Record<string, string> =>
    Object.fromEntries(Array.from(modules.failed, ([key, why]) => [(JSON.parse(key) as string[]).join('#'), why]));
  return { folder, modules, failures, settings };
}

describe('The health of modules (P10)', () => {
  it('is that of each function: the module loads, and has the export', async () => {
    const entries = [entryOf('a.mjs'), entryOf('a.mjs', ['none']), entryOf('b.mjs'), entryOf('gone.mjs')];
    const { modules, failures } = await health(
      { 'a.mjs': 'export default () => 1;', 'b.mjs': 'syntax error' },
      entries,
    );
    expect(await modules.look()).toBe(true);
    expect(failures()).toEqual({
      'a.mjs#none': 'does not load: it exports no function "none"; its functions are default',
      'b.mjs#default': "does not load: Unexpected identifier 'error'",
    });
    expect(await modules.look()).toBe(false);
  });

  it('is found out without a call of any function', async () => {
    const source = "export default () => console.log('called'); console.log('loaded');";
    const { folder, modules } = await health({ 'a.mjs': source }, [entryOf('a.mjs')]);
    await modules.look();
    await modules.look();
    await expect.poll(() => folder.lines).toEqual(['a.mjs: loaded']);
  });

  it('is looked at again when a file of a module has changed, and names those files', async () => {
    const { folder, modules, failures } = await health(
      { 'a.mjs': "import './b.mjs'; export default () => 1;", 'b.mjs': '' },
      [entryOf('a.mjs')],
    );
    expect(await modules.look()).toBe(false);
    expect([...modules.files].sort()).toEqual([folder.path('a.mjs'), folder.path('b.mjs')]);
    await folder.write('b.mjs', "throw new Error('b');");
    expect(await modules.look()).toBe(true);
    expect(failures()).toEqual({ 'a.mjs#default': 'does not load: b' });
    await folder.write('b.mjs', '');
    expect(await modules.look()).toBe(true);
    expect(modules.failed.size).toBe(0);
  });

  it('is bad of a module that ends its thread or takes too long while it loads', async () => {
    const files = { 'exit.mjs': 'process.exit(2);', 'loop.mjs': 'for (;;);' };
    const { modules, failures } = await health(files, [entryOf('exit.mjs'), entryOf('loop.mjs')], 1000);
    await modules.look();
    expect(failures()).toEqual({
      'exit.mjs#default': 'does not load: its thread was ended by process.exit(2)',
      'loop.mjs#default': 'does not load within 1000 ms',
    });
  });

  it('is not bad of one in which a call ends the thread, or keeps it busy, meanwhile', async () => {
    const source = `export default (_, { progress }) => { progress(1); const end = Date.now() + 3000; while (Date.now() < end); return 'done'; };
      export const exit = (_, { progress }) => { progress(1); setTimeout(() => process.exit(1), 300); return new Promise(() => {}); };`;
    for (const name of ['default', 'exit']) {
      const { folder, modules } = await health({ 'a.mjs': source }, [entryOf('a.mjs')], 500);
      let begun = () => {};
      const begins = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const call = folder.call('a.mjs', { name, onProgress: () => begun() });
      await begins;
      expect(await modules.look()).toBe(false);
      expect((await call).kind).toBe(name === 'exit' ? 'ended' : 'returned');
      expect(await modules.look()).toBe(false);
    }
  });

  it('of a module that failed is kept while a node has it', async () => {
    const { modules, failures, settings } = await health({ 'a.mjs': 'throw 1;' }, [entryOf('a.mjs')]);
    await modules.look();
    const key = moduleKey({ module: 'a.mjs', exports: ['default'] });
    modules.follow([], (asked) => asked === key, settings);
    expect(await modules.look()).toBe(false);
    expect(failures()).toEqual({ 'a.mjs#default': 'does not load: threw 1' });
    modules.follow([], () => false, settings);
    expect(await modules.look()).toBe(true);
    expect(failures()).toEqual({});
  });
});
