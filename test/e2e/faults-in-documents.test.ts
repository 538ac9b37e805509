import { spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, ServerProcess, serveEnv, startServer } from './harness.js';
import { Instance, nodePath, toolNode, typeIri } from './instance.js';
import type { Session } from './session.js';

const tellSockets = `--import=${new URL('fixtures/tell-sockets.mjs', import.meta.url).href}`;
/** Link-local: where clouds answer with credentials. */
const metadataUrl = 'http://169.254.169.254/context.jsonld';
const bundled = 'https://w3id.org/toolgraph/v1.jsonld';

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly document: string;
}

async function problemsOf(session: Session): Promise<Problem[]> {
  return (await session.read('toolgraph://problems')).problems as Problem[];
}

/** A node as text, with members that no object of JavaScript can have. */
function nodeText(id: string, more: string): string {
  return `${JSON.stringify(toolNode(id)).slice(0, -1)},${more}}`;
}

interface FaultyDocument {
  readonly row: string;
  readonly file: string;
  readonly content: unknown;
  readonly code: string;
  readonly message: RegExp;
}

const faulty: FaultyDocument[] = [
  {
    row: 'G1: a remote @context',
    file: 'plain.json',
    content: toolNode('plain', { '@context': metadataUrl }),
    code: 'unknown-context',
    message: /"http:\/\/169\.254\.169\.254\/context\.jsonld" is not available, because nothing is fetched; use /,
  },
  {
    row: 'G1: a remote @context in an array',
    file: 'array.json',
    content: toolNode('array', { '@context': [bundled, metadataUrl] }),
    code: 'unknown-context',
    message: /"http:\/\/169\.254\.169\.254\/context\.jsonld" is not available, because nothing is fetched/,
  },
  {
    row: 'G1: a remote @context as @import',
    file: 'import.jsonld',
    content: toolNode('import', { '@context': [bundled, { '@version': 1.1, '@import': metadataUrl }] }),
    code: 'unknown-context',
    message: /@import of "http:\/\/169\.254\.169\.254\/context\.jsonld" is refused, because nothing is fetched/,
  },
  {
    row: 'G1: a remote @context inside of a value',
    file: 'nested.json',
    content: toolNode('nested', { '@context': bundled, requires: { '@context': metadataUrl } }),
    code: 'invalid-node',
    message: /unknown key "@context" in requires/,
  },
  {
    row: 'G1: a remote @context in YAML-LD',
    file: 'remote.yaml',
    content: `"@context": ${metadataUrl}\n"@type": Tool\nid: remote\n`,
    code: 'unknown-context',
    message: /"http:\/\/169\.254\.169\.254\/context\.jsonld" is not available, because nothing is fetched/,
  },
  {
    row: 'G1: a remote $ref of a type',
    file: 'reference.json',
    content: toolNode('reference', {
      io: { inputs: [{ name: 'far', schema: typeIri('Far'), arg: { positional: 0 } }], outputs: [] },
    }),
    code: 'unresolved-schema',
    message: /"\$ref" names http:\/\/169\.254\.169\.254\/schema\.json/,
  },
  {
    row: 'G2: an unknown key',
    file: 'unknown.json',
    content: toolNode('unknown', { invok: {} }),
    code: 'invalid-node',
    message: /unknown key "invok"; did you mean "invoke"\?/,
  },
  {
    row: 'G3: an @base of its own',
    file: 'based.json',
    content: toolNode('based', { '@context': [bundled, { '@base': 'http://evil/' }] }),
    code: 'invalid-node',
    message: /@base "http:\/\/evil\/" is refused, because the base is that of the instance; remove @base/,
  },
  {
    row: 'G3: an @id that leads out of its own folder',
    file: 'outside.json',
    content: toolNode('outside', { '@id': '../other' }),
    code: 'invalid-node',
    message: /expected an absolute IRI of this instance, found the relative "\.\.\/other"/,
  },
  {
    row: 'G3: an @id of others',
    file: 'foreign.json',
    content: toolNode('foreign', { '@id': 'http://evil.example/tool' }),
    code: 'invalid-node',
    message: /describes <http:\/\/evil\.example\/tool>, which lies outside this instance .* allowIris/,
  },
  {
    row: 'G6: the key __proto__ in JSON',
    file: 'proto.json',
    content: nodeText('proto', '"__proto__":{"tier":"public"}'),
    code: 'invalid-node',
    message: /the key "__proto__" is reserved and is refused/,
  },
  {
    row: 'G6: the key __proto__ inside of a value',
    file: 'deep.json',
    content: nodeText('deep', '"downstream":{"a":[{"__proto__":{}}]}'),
    code: 'invalid-node',
    message: /the key "__proto__" is reserved and is refused/,
  },
  {
    row: 'G6: the key __proto__ in YAML',
    file: 'proto.yaml',
    content: '"@type": Tool\nid: yaml-proto\n__proto__: {}\n',
    code: 'invalid-node',
    message: /the key "__proto__" is reserved and is refused/,
  },
  {
    row: 'G6: the merge key << of YAML',
    file: 'merge.yaml',
    content: 'more: &more {title: t}\n"@type": Tool\nid: merge\n<<: *more\n',
    code: 'invalid-node',
    message: /the merge key << is refused; write out what it stands for/,
  },
];

describe('a document with a fault, beside one without', () => {
  let instance: Instance;
  let server: ServerProcess;
  let session: Session;
  let problems: Problem[];

  beforeAll(async () => {
    instance = await Instance.make([toolNode('good')]);
    await instance.writeTypes({ Far: { $ref: 'http://169.254.169.254/schema.json' } });
    for (const { file, content } of faulty) await instance.write(`graph/tools/${file}`, content);
    server = new ServerProcess(instance, { args: ['--keep-going'], env: { NODE_OPTIONS: tellSockets } });
    session = await server.open('2025-11-25');
    problems = await problemsOf(session);
  });

  afterAll(async () => {
    await server.stop();
    await instance.dispose();
  });

  it.each(faulty)('$row is a problem that says what to do, and no tool', ({ file, code, message }) => {
    const found = problems.filter(({ document }) => document === `graph/tools/${file}`);
    expect(found).toContainEqual(expect.objectContaining({ code, message: expect.stringMatching(message) }));
    expect(JSON.stringify(found)).not.toContain(instance.root);
  });

  it('takes no other with it, and has no problem but its own', async () => {
    expect(await session.names()).toEqual(['good']);
    expect(new Set(problems.map(({ document }) => document))).toEqual(
      new Set(faulty.map(({ file }) => `graph/tools/${file}`)),
    );
  });

  it('G1: no connection is begun, and no name looked up', async () => {
    expect(server.stderrText).not.toContain('reached for the network');
    const fetching = "fetch('http://127.0.0.1:54321/').catch(() => {})";
    const control = spawnSync(process.execPath, [tellSockets, '-e', fetching], { encoding: 'utf8', env: serveEnv() });
    expect(control.stderr).toContain('reached for the network: connect');
  });

  it('is none any more when it is mended while the server runs', async () => {
    await instance.writeTypes({ Far: { type: 'integer' } });
    for (const [n, { file }] of faulty.entries()) {
      await (file.endsWith('.yaml')
        ? instance.remove(`graph/tools/${file}`)
        : instance.replace(`graph/tools/${file}`, toolNode(`mended${n}`)));
    }
    const mended = faulty.flatMap(({ file }, n) => (file.endsWith('.yaml') ? [] : [`mended${n}`]));
    await eventually(async () => (await problemsOf(session)).length === 0, 'no problem is left');
    expect(await session.names()).toEqual(['good', ...mended].sort());
  });
});

const turtle = (id: string) => `@prefix tg: <https://w3id.org/toolgraph/ns#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
<urn:toolgraph:forms:tool/${id}> a tg:Tool ;
  dct:identifier "${id}" ; dct:title "Title of ${id}" ; dct:description "Does ${id}" ;
  tg:invoke '{"shell":"echo ${id}"}'^^rdf:JSON ;
  tg:satisfies <urn:toolgraph:forms:skill/testing> .
`;

const triples = (id: string) => {
  const subject = `<urn:toolgraph:forms:tool/${id}>`;
  return [
    `${subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/toolgraph/ns#Tool> .`,
    `${subject} <http://purl.org/dc/terms/identifier> "${id}" .`,
    `${subject} <http://purl.org/dc/terms/title> "Title of ${id}" .`,
    `${subject} <http://purl.org/dc/terms/description> "Does ${id}" .`,
    `${subject} <https://w3id.org/toolgraph/ns#invoke> "{\\"shell\\":\\"echo ${id}\\"}"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> .`,
    `${subject} <https://w3id.org/toolgraph/ns#satisfies> <urn:toolgraph:forms:skill/testing> .`,
    '',
  ].join('\n');
};

const json = (id: string) => `${JSON.stringify(toolNode(id), undefined, 2)}\n`;
const forms: Record<string, (id: string) => string> = {
  json,
  jsonld: json,
  yaml: (id) =>
    `"@type": Tool\nid: ${id}\ntitle: Title of ${id}\ndescription: Does ${id}\ninvoke:\n  shell: echo ${id}\nio:\n  inputs: []\n  outputs: []\nsatisfies:\n  - testing\n`,
  ttl: turtle,
  nt: triples,
  md: (id) => `---\nname: ${id}\ndescription: Does ${id}\n---\n\nWords.\n`,
};

const encodings = {
  'a byte order mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'the line ends CRLF': (text: string) => Buffer.from(text.replaceAll('\n', '\r\n')),
  both: (text: string) => Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`),
};

const foreignEncodings = {
  'UTF-16LE with its mark': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16BE with its mark': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'UTF-16LE without a mark': (text: string) => Buffer.from(text, 'utf16le'),
  'UTF-16BE without a mark': (text: string) => Buffer.from(text, 'utf16le').swap16(),
};

describe('G8: every form of a document', () => {
  const formNames = Object.keys(forms);

  it.each(Object.entries(encodings))('with %s gives what it gives without', async (_, encode) => {
    const instance = await makeInstance();
    await instance.config({ name: 'forms' });
    for (const [form, text] of Object.entries(forms))
      await instance.write(`graph/tools/in${form}.${form}`, encode(text(`in${form}`)));
    const encoded = await startServer(instance).open('2025-11-25');
    expect(await problemsOf(encoded)).toEqual([]);
    const listed = await encoded.list();
    expect(listed.tools.map(({ name, title, description }) => [name, title, description])).toEqual(
      formNames
        .filter((form) => form !== 'md')
        .map((form) => [`in${form}`, `Title of in${form}`, `Does in${form}`])
        .sort(),
    );
    for (const [form, text] of Object.entries(forms))
      await instance.write(`graph/tools/in${form}.${form}`, text(`in${form}`));
    await encoded.listChangesDuring(0);
    const plain = await startServer(instance).open('2025-11-25');
    expect((await plain.list()).generation.digest).toBe(listed.generation.digest);
  });

  it('in UTF-16, of either order and with or without a mark, is a problem that says so, and heals', async () => {
    const instance = await makeInstance([toolNode('good')]);
    await instance.config({ name: 'forms' });
    const files = Object.values(foreignEncodings).flatMap((encode, n) =>
      Object.entries(forms).map(([form, text]) => ({
        file: `graph/tools/in${form}${n}.${form}`,
        id: `in${form}${n}`,
        text,
        encode,
      })),
    );
    for (const { file, id, text, encode } of files) await instance.write(file, encode(text(id)));
    const session = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25');
    expect(await session.names()).toEqual(['good']);
    const problems = await problemsOf(session);
    expect(problems.map(({ document }) => document)).toEqual(files.map(({ file }) => file).sort());
    for (const { code, message } of problems) {
      expect(code).toBe('unreadable');
      expect(message).toMatch(/UTF-16, and UTF-8 was expected; save it as UTF-8/);
    }
    for (const { file, id, text } of files) await instance.write(file, text(id));
    await eventually(async () => (await problemsOf(session)).length === 0, 'no problem is left');
    expect(await session.names()).toEqual(
      ['good', ...files.flatMap(({ id }) => (id.startsWith('inmd') ? [] : [id]))].sort(),
    );
  });
});

describe('G5: two documents of one id', () => {
  const twin = (word: string) => toolNode('twin', { description: word });
  const problemTexts = async (session: Session) => JSON.stringify(await problemsOf(session));

  it('that come while a server runs, in either order, give one answer, and deleting either heals', async () => {
    const answers: string[] = [];
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const instance = await makeInstance([toolNode('other')]);
      await instance.config({ name: 'twins' });
      const session = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25');
      expect(await session.names()).toEqual(['other']);
      await instance.write(`graph/${first}.json`, twin('Same'));
      await session.listChanged();
      await instance.write(`graph/${second}.json`, twin('Same'));
      await eventually(async () => (await problemTexts(session)).includes('duplicate-id'), 'the second is a problem');
      expect(await session.names()).toEqual(['other', 'twin']);
      const restarted = await startServer(instance, { args: ['--keep-going'] }).open('2025-11-25');
      expect(await restarted.names()).toEqual(['other']);
      answers.push(`${await problemTexts(restarted)} ${(await restarted.list()).generation.digest}`);
      await instance.remove(`graph/${second}.json`);
      await restarted.listChanged();
      for (const each of [session, restarted]) {
        await eventually(async () => (await problemTexts(each)) === '[]', 'no problem is left');
        expect(await each.names()).toEqual(['other', 'twin']);
      }
    }
    expect(answers[0]).toContain('graph/a.json');
    expect(answers[0]).toContain('graph/b.json');
    expect(answers[1]).toBe(answers[0]);
  });

  it('that are one file through links of a file and of a folder are one document', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await symlink('tools/a.json', instance.path('graph/linked.json'));
    await symlink('tools', instance.path('graph/again'));
    const session = await startServer(instance).open('2025-11-25');
    expect(await session.names()).toEqual(['a']);
    await instance.replace(nodePath('a'), toolNode('a', { description: 'Edited' }));
    await session.listChanged();
    expect((await session.list()).tools).toMatchObject([{ name: 'a', description: 'Edited' }]);
    expect(await problemsOf(session)).toEqual([]);
  });
});
