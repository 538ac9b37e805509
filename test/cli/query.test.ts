import { describe, expect, it } from 'vitest';
import { makeInstance, ServerProcess } from '../e2e/harness.js';
import { toolNode } from '../e2e/instance.js';
import { run } from './cli-process.js';

const nodes = [toolNode('a', { title: 'First, "one"' }), toolNode('b', { title: 'Second', satisfies: ['other'] })];
const titles = 'SELECT ?tool ?title { ?tool a tg:Tool ; dcterms:title ?title } ORDER BY ?title';

describe('toolgraph query', () => {
  it('prints rows separated by tabs into a pipe, with prefixed names', async () => {
    const { root } = await makeInstance(nodes);
    const { code, stdout, stderr } = await run(['query', titles, root]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('tool\ttitle\ntool:a\tFirst, "one"\ntool:b\tSecond\n');
  });

  it('writes SPARQL Results JSON and CSV, and Turtle for triples', async () => {
    const instance = await makeInstance(nodes);
    await instance.config({ base: 'urn:x:' });
    const { root } = instance;
    const json = await run(['query', titles, root, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toEqual({
      head: { vars: ['tool', 'title'] },
      results: {
        bindings: [
          { tool: { type: 'uri', value: 'urn:x:tool/a' }, title: { type: 'literal', value: 'First, "one"' } },
          { tool: { type: 'uri', value: 'urn:x:tool/b' }, title: { type: 'literal', value: 'Second' } },
        ],
      },
    });
    const csv = await run(['query', titles, root, '--format', 'csv']);
    expect(csv.stdout).toBe('tool,title\r\nurn:x:tool/a,"First, ""one"""\r\nurn:x:tool/b,Second\r\n');
    const turtle = await run(['query', 'CONSTRUCT { ?t tg:x 1 } WHERE { ?t tg:satisfies skill:other }', root]);
    expect(turtle.stdout).toMatch(/^tool:b tg:x 1\.$/m);
    const wrong = await run(['query', titles, root, '--format', 'turtle']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('expected table, json or csv');
  });

  it('tells where a query is wrong, and exits 2; an ASK whose answer is false exits 1', async () => {
    const instance = await makeInstance(nodes);
    await instance.write('wrong.rq', 'SELECT *\n{ ?s ?p }\n');
    const file = instance.path('wrong.rq');
    for (const [query, words] of [
      ['SELECT * { ?s a foo:Tool }', 'query:1:17: syntax: the prefix "foo:" is not declared'],
      ['CLEAR ALL', 'query:1:1: refused: CLEAR would change the graph'],
      ['SELECT * {\n  SERVICE <http://localhost/> { ?s ?p ?o } }', 'query:2:3: refused: SERVICE'],
      ['SELECT * {\n  ?s a <Tool> }', 'query:2:8: syntax: <Tool> is a relative IRI; write it in full'],
      [`@${file}`, `${file}:2:9: syntax: "}" is not expected here`],
    ] as const) {
      const { code, stdout, stderr } = await run(['query', query, instance.root]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(words);
    }
    expect(await run(['query', 'ASK { ?s a tg:Nothing }', instance.root])).toEqual({
      code: 1,
      stdout: 'false\n',
      stderr: '',
    });
  });

  it('takes values of variables as terms, never as text', async () => {
    const { root } = await makeInstance(nodes);
    const query = 'SELECT ?tool { ?tool a tg:Tool ; dcterms:title ?title }';
    const found = await run(['query', query, root, '--param', 'title=Second']);
    expect(found.stdout).toBe('tool\ntool:b\n');
    const hostile = await run(['query', query, root, '--param', 'title=" } # \\']);
    expect(hostile.code).toBe(2);
    const text = await run(['query', query, root, '--param', 'title=x" } UNION { ?tool ?p ?o } #']);
    expect([text.code, text.stdout]).toEqual([0, 'tool\n']);
    const iri = await run(['query', query, root, '--param', 'title=<urn:x> } #>']);
    expect(iri.code).toBe(2);
    expect(iri.stderr).toContain('query: binding: ?title: expected an absolute IRI');
    const unused = await run(['query', query, root, '--param', 'titel=x']);
    expect(unused.stderr).toContain('did you mean ?title?');
    // A name without a value is no empty text.
    const unequal = await run(['query', query, root, '--param', 'title']);
    expect([unequal.code, unequal.stderr]).toEqual([2, expect.stringContaining('Expected NAME=VALUE')]);
  });

  it('works beside a server that runs', async () => {
    const instance = await makeInstance(nodes);
    const server = new ServerProcess(instance);
    await server.open('2026-07-28');
    const { stdout } = await run(['query', titles, instance.root]);
    expect(stdout).toContain('tool:b\tSecond\n');
    server.kill('SIGKILL');
    await server.exited;
  });
});
