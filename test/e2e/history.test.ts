import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createService } from '../../src/service.js';
import { LiteralTerm } from '../../src/store/rdf-terms.js';
import { eventually } from './deadline.js';
import { makeInstance, serveEnv, startServer } from './harness.js';
import { type Instance, nodePath, toolNode, typeIri } from './instance.js';

const cli = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

function toolgraph(instance: Instance, command: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [cli, command, ...args], {
    encoding: 'utf8',
    env: serveEnv(),
    cwd: instance.root,
  });
}

interface Told {
  readonly revisions: readonly {
    readonly until: string | null;
    readonly ending: string | null;
    readonly document: { readonly path: string; readonly git: string; readonly commit: string | null };
    readonly generations: readonly { readonly first: number; readonly last: number | null }[];
    readonly changed: readonly string[] | null;
    readonly node: { readonly description: string };
  }[];
}

const historyOf = (instance: Instance, id: string): Told =>
  JSON.parse(toolgraph(instance, 'history', id, '--json')) as Told;

function git(instance: Instance, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', [...identity, '-C', instance.root, ...args], { encoding: 'utf8', env: serveEnv() }).trim();
}

function commit(instance: Instance): string {
  git(instance, 'add', 'graph');
  git(instance, 'commit', '-q', '-m', 'change');
  return git(instance, 'rev-parse', 'HEAD');
}

/** The query of docs/provenance.md. */
const query = /```sparql\n([^`]*)```/.exec(
  readFileSync(new URL('../../docs/provenance.md', import.meta.url), 'utf8'),
)?.[1];

async function answer(instance: Instance, call: string | undefined): Promise<Record<string, string>[]> {
  const service = createService({ root: instance.root, watch: false });
  try {
    await service.ready;
    const bindings = new Map([['call', new LiteralTerm(call ?? '')]]);
    const result = await service.query(query ?? '', { bindings });
    if (result.kind !== 'bindings') throw new Error('expected rows');
    return result.rows.map((row) => Object.fromEntries(Array.from(row, ([name, term]) => [name, term.value])));
  } finally {
    await service.close();
  }
}

describe('the history of a tool', () => {
  it('tells its revisions with document, commit, generations and what changed, beside a server', async () => {
    const word = { name: 'word', schema: typeIri('Word'), required: true, arg: { positional: 0 } };
    const node = toolNode('echo', { description: 'First', satisfies: ['saying'], io: { inputs: [word] } });
    const instance = await makeInstance([node, toolNode('other')]);
    await instance.config({ name: 'told' });
    git(instance, 'init', '-q');
    const first = commit(instance);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    const { generation } = await session.list();
    const called = await session.call('echo', { word: 'hello' });
    await eventually(() => historyOf(instance, 'echo').revisions[0]?.document.git === 'committed', 'git is asked');
    expect(historyOf(instance, 'echo').revisions).toMatchObject([
      {
        ...{ until: null, ending: null, changed: null, node: { description: 'First' } },
        document: { path: nodePath('echo'), git: 'committed', commit: first },
        generations: [{ first: generation.number, last: null }],
      },
    ]);

    const changed = session.listChanged();
    await instance.replace(nodePath('echo'), { ...node, description: 'Second', title: 'Echo it' });
    await changed;
    const refused = await session.call('echo', { word: 'NO' });
    const { number } = (await session.list()).generation;
    // A change that no client sees has a revision, and no generation of its own.
    await instance.replace(nodePath('echo'), {
      ...node,
      description: 'Second',
      title: 'Echo it',
      satisfies: ['repeating'],
    });
    await eventually(() => {
      const { revisions } = historyOf(instance, 'echo');
      return revisions.length === 3 && revisions[0]?.document.git === 'modified';
    }, 'git is asked of the last edit');
    const [third, second, before] = historyOf(instance, 'echo').revisions;
    expect(third).toMatchObject({ changed: ['satisfies'], generations: [{ first: number, last: null }] });
    expect(second).toMatchObject({
      ...{ ending: 'replaced', changed: ['description', 'title'], generations: [{ first: number, last: null }] },
    });
    expect(before).toMatchObject({ ending: 'replaced', generations: [{ first: generation.number, last: number - 1 }] });
    await server.stop();

    const definition = (texts: string) => JSON.parse(texts) as Record<string, unknown>;
    const [served, ...others] = await answer(instance, called.call);
    expect(others).toEqual([]);
    expect(served).toMatchObject({
      ...{ tool: 'urn:toolgraph:told:tool/echo', document: nodePath('echo'), git: 'committed', commit: first },
      ...{ skill: 'urn:toolgraph:told:skill/saying', argv: '["echo","echo","hello"]', outcome: 'ran' },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), revision: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(served).not.toHaveProperty('reason');
    expect(definition(served?.definition ?? '')).toMatchObject({ id: 'echo', description: 'First' });
    const [not] = await answer(instance, refused.call);
    expect(not).toMatchObject({ outcome: 'refused-input', reason: expect.stringContaining('word') });
    expect(definition(not?.definition ?? '')).toMatchObject({ description: 'Second' });

    // What was in no commit is looked for again at the next start.
    const last = commit(instance);
    const again = startServer(instance);
    await (await again.open('2025-11-25')).list();
    await eventually(() => historyOf(instance, 'echo').revisions[0]?.document.commit === last, 'the commit is known');
    expect(historyOf(instance, 'echo').revisions[0]?.document.git).toBe('modified');
    await instance.remove(nodePath('echo'));
    await eventually(() => historyOf(instance, 'echo').revisions[0]?.ending === 'deleted', 'its end is told');
  });

  it('says that there is none, and writes one line a revision in a pipe', async () => {
    const instance = await makeInstance([toolNode('a', { description: 'one\ttwo' })]);
    expect(() => toolgraph(instance, 'history', 'a')).toThrow(/this instance has no history yet/);
    toolgraph(instance, 'tools');
    const line = toolgraph(instance, 'history', 'a').trimEnd().split('\t');
    expect(line.slice(1, 3)).toEqual(['', '']);
    expect(line.slice(4)).toEqual([
      ...[nodePath('a'), expect.stringMatching(/^[0-9a-f]{64}$/), 'unavailable', '', 'generation 1–'],
      'the first that is kept',
    ]);
    expect(() => toolgraph(instance, 'history', 'b')).toThrow(/no revision of b is kept/);
  });

  it('is told of tools of included instances too, in the history of the one that includes them', async () => {
    const other = await makeInstance([toolNode('theirs')]);
    await other.config({ name: 'other' });
    const instance = await makeInstance([toolNode('ours')]);
    await instance.config({ name: 'whole', include: [other.root] });
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    expect(await session.names()).toEqual(['ours', 'theirs']);
    const called = await session.call('theirs');
    expect(historyOf(instance, 'theirs').revisions).toHaveLength(1);
    expect(historyOf(other, 'theirs').revisions).toHaveLength(1);
    await server.stop();
    const [served] = await answer(instance, called.call);
    expect(served).toMatchObject({ tool: 'urn:toolgraph:other:tool/theirs', document: nodePath('theirs') });
  });
});
