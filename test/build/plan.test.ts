import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manifestOf, manifestPath, renderManifest } from '../../src/build/manifest.js';
import { planBuild } from '../../src/build/plan.js';
import { wantedOf } from './build-samples.js';

function present(files: Readonly<Record<string, string>>, made: ReadonlyMap<string, string>) {
  return { manifest: manifestOf(made), contentOf: (path: string) => new Map(Object.entries(files)).get(path) };
}

describe('planBuild', () => {
  it('finds everything missing in an empty folder', () => {
    const plan = planBuild(wantedOf(['a'], '1', { 'server.ts': 'x' }), {
      manifest: undefined,
      contentOf: () => undefined,
    });
    expect(plan.map(({ path, state }) => `${state} ${path}`)).toEqual([
      'missing mcp-tools.json',
      'missing schemas/a.input.json',
      'missing server.ts',
      'missing toolgraph-build.json',
      'missing tools.jsonld',
    ]);
  });

  it('tells what is fresh, stale, extra, edited, kept and foreign apart', () => {
    const made = new Map([
      ['mcp-tools.json', 'old'],
      ['schemas/b.input.json', 'b'],
      ['schemas/c.input.json', 'c'],
      ['schemas/gone.input.json', 'gone'],
    ]);
    const files = {
      'mcp-tools.json': 'old',
      'tools.jsonld': 'of somebody',
      'schemas/a.input.json': 'schema a 1\n',
      'schemas/b.input.json': 'b',
      'schemas/c.input.json': 'c and more',
      'server.ts': 'edited',
      [manifestPath]: renderManifest(manifestOf(made)),
    };
    const plan = planBuild(wantedOf(['a'], '1', { 'server.ts': 'x' }), present(files, made));
    expect(Object.fromEntries(plan.map(({ path, state }) => [path, state]))).toEqual({
      'mcp-tools.json': 'stale',
      'tools.jsonld': 'foreign',
      'schemas/a.input.json': 'fresh',
      'schemas/b.input.json': 'extra',
      'schemas/c.input.json': 'edited',
      'server.ts': 'kept',
      'toolgraph-build.json': 'stale',
    });
  });

  it('changes or removes no file that is not in the manifest', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const names = fc.uniqueArray(name);
    fc.assert(
      fc.property(names, names, names, (wanted, made, others) => {
        const built = wantedOf(made, '1').built;
        const files = Object.fromEntries([
          ...built,
          ...others.filter((other) => !made.includes(other)).map((other) => [`schemas/${other}.input.json`, 'theirs']),
        ]);
        for (const { path, state } of planBuild(wantedOf(wanted, '2'), present(files, built))) {
          if (path !== manifestPath && ['stale', 'extra'].includes(state)) expect(built.has(path)).toBe(true);
        }
      }),
    );
  });
});
