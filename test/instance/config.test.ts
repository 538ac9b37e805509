import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configPlaces } from '../../src/ingest/config-places.js';
import { readConfig } from '../../src/instance/config.js';
import { unprivileged } from './unprivileged.js';

let root: string;
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'toolgraph-config-'));
  root = join(parent, 'My Harness (2)');
  mkdirSync(root);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

function read(text?: string) {
  if (text !== undefined) writeFileSync(join(root, 'toolgraph.config.json'), text);
  return readConfig(root, configPlaces);
}

describe('readConfig', () => {
  it('gives every default when there is no file', () => {
    const { config, diagnostics, signature } = read();
    expect(diagnostics).toEqual([]);
    expect(signature).toBeUndefined();
    expect(config).toEqual({
      name: 'my-harness-2',
      base: 'urn:toolgraph:my-harness-2:',
      folders: [{ path: 'graph' }],
      include: [],
      tiers: ['stable'],
      host: { runtime: new Map() },
      env: [],
      limits: {
        timeoutMs: 60_000,
        outputBytes: 1_048_576,
        documentBytes: 4_194_304,
        documents: 100_000,
        records: 100_000,
        recordDays: 365,
        historyRevisions: 100_000,
        historyDays: 365,
        concurrentCalls: 32,
        concurrentCallsPerTool: 16,
        waitingCalls: 512,
        keptOutputs: 16,
        keptOutputBytes: 268_435_456,
        keptOutputMinutes: 60,
        queryMs: 10_000,
        queryRows: 100_000,
        queryMegabytes: 1024,
        waitingQueries: 64,
      },
      arms: ['inProcess', 'shell', 'container'],
      rules: new Map(),
      require: [],
      allowIris: [],
      ignore: [],
      keepGoing: false,
      daemons: 'end',
      getStateTool: false,
    });
  });

  it('refuses half a surrogate pair in keys and values, which no digest and no IRI can have', () => {
    const { config, diagnostics } = read(
      '{"base": "urn:\\ud800:", "host": {"runtime": {"\\udc00": true}}, "folders": [{"path": "\\ud83d"}]}',
    );
    expect(diagnostics.map(({ pointer, code }) => [code, pointer])).toEqual([
      ['invalid-config', '/base'],
      ['invalid-config', '/host/runtime/\uFFFD'],
      ['invalid-config', '/folders/0/path'],
    ]);
    expect(config.base).toBe('urn:toolgraph:my-harness-2:');
  });

  it('names an instance whose folder has no letter that a slug can have', () => {
    const folder = join(parent, '日本');
    mkdirSync(folder);
    expect(readConfig(folder).config.base).toBe('urn:toolgraph:instance:');
  });

  it('keeps what is stated, in one form of each path, and fills in the rest', () => {
    const { config, diagnostics, signature } = read(
      JSON.stringify({
        name: 'cat',
        folders: [{ path: './graph//tools/', kind: 'tools' }, { path: 'skills' }],
        ignore: ['graph/tools/drafts/'],
        host: { runtime: { bun: true, node: 'nodejs' }, network: false },
        limits: { timeoutMs: 5 },
      }),
    );
    expect(diagnostics).toEqual([]);
    expect(signature).toMatch(/^\d+:\d+:\d+:\d+$/);
    expect(config.base).toBe('urn:toolgraph:cat:');
    expect(config.folders).toEqual([{ path: 'graph/tools', kind: 'tools' }, { path: 'skills' }]);
    expect(config.ignore).toEqual(['graph/tools/drafts']);
    expect(config.host.runtime.get('node')).toBe('nodejs');
    expect(config.limits).toMatchObject({ timeoutMs: 5, documents: 100_000 });
  });

  it('names an unknown key with its place and the key that was meant, at every depth', () => {
    const { config, diagnostics } = read('{\n  "name": "x",\n  "foldrs": [],\n  "limits": {"timeoutMS": 3, "q": 1}\n}');
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'invalid-config', line: 4, column: 14, pointer: '/limits/timeoutMS' }),
      expect.objectContaining({ line: 4, column: 30, pointer: '/limits/q' }),
      expect.objectContaining({ line: 3, column: 3, pointer: '/foldrs', document: 'toolgraph.config.json' }),
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'unknown key "timeoutMS" in limits; did you mean "timeoutMs"?',
      'unknown key "q" in limits; known here: timeoutMs, outputBytes, documentBytes, documents, records, recordDays, historyRevisions, historyDays, concurrentCalls, concurrentCallsPerTool, waitingCalls, keptOutputs, keptOutputBytes, keptOutputMinutes, queryMs, queryRows, queryMegabytes, waitingQueries',
      'unknown key "foldrs"; did you mean "folders"?',
    ]);
    expect(config.name).toBe('my-harness-2');
  });

  it.each([
    ['{"tiers": ["internal"]}', '/tiers/0'],
    ['{"folders": [{"path": "../up"}]}', '/folders/0/path'],
    ['{"folders": [{"path": "/etc"}]}', '/folders/0/path'],
    ['{"folders": [{"path": "graph"}, {"path": "graph/tools"}]}', '/folders/1/path'],
    ['{"folders": [{"path": "a"}, {"path": "./a/"}]}', '/folders/1/path'],
    ['{"folders": [{"path": "a"}, {"path": "."}]}', '/folders/1/path'],
    ['{"ignore": ["graph/*.json"]}', '/ignore/0'],
    ['{"host": {"runtime": {"__proto__": true}}}', '/host/runtime/__proto__'],
    ['{"constructor": 1}', '/constructor'],
    ['{"include": ["../a", ""]}', '/include/1'],
    ['{"include": ["../a\\u0000b"]}', '/include/0'],
    ['{"include": [{"prefix": "b"}]}', '/include/0/path'],
    ['{"include": [{"path": "../b", "prefix": "b_"}]}', '/include/0/prefix'],
    ['{"include": [5]}', '/include/0'],
    ['{"rules": {"tier": "off"}}', '/rules/tier'],
    ['{"rules": {"tier": {"severity": "off"}}}', '/rules/tier/reason'],
    ...['', '   ', '\u200b', '\u2800\u3164\u00ad', '\ue000', 'a'.repeat(1001)].map((reason): [string, string] => [
      JSON.stringify({ rules: { tier: { severity: 'off', reason } } }),
      '/rules/tier/reason',
    ]),
    ['{"name": "a", "name": "b"}', '/name'],
    ['[]', ''],
  ])('refuses %s at %s', (text, pointer) => {
    const { diagnostics, config } = read(text);
    expect(diagnostics.map((it) => [it.code, it.pointer])).toEqual([['invalid-config', pointer]]);
    expect(diagnostics[0]).toMatchObject({ line: 1, column: expect.any(Number), severity: 'error' });
    expect(config.folders).toEqual([{ path: 'graph' }]);
  });

  it('is the same through a link to the instance, whether there is a file or not: its IRIs and its state are too', () => {
    symlinkSync(root, join(parent, 'link'));
    expect(readConfig(join(parent, 'link'))).toMatchObject({ config: { name: 'my-harness-2' }, diagnostics: [] });
    read('{"name": "x"}');
    expect(readConfig(join(parent, 'link'))).toMatchObject({ config: { name: 'x' }, diagnostics: [] });
  });

  it('has one form for every instance that it includes', () => {
    const { config, diagnostics } = read('{"include": ["../a", {"path": "/b", "prefix": "b"}, {"path": "c"}]}');
    expect(diagnostics).toEqual([]);
    expect(config.include).toEqual([{ path: '../a' }, { path: '/b', prefix: 'b' }, { path: 'c' }]);
  });

  it('says what was meant where a value may have several forms', () => {
    const messages = (text: string) => read(text).diagnostics.map(({ message }) => message);
    expect(messages('{"include": [{"path": "../b", "prefx": "b"}]}')).toEqual([
      'unknown key "prefx" in include[0]; did you mean "prefix"?',
    ]);
    expect(messages('{"include": [{"path": "../b", "prefix": ""}, 5]}')).toEqual([
      'include[0].prefix: expected 1 to 16 letters and digits, beginning with a letter, found ""',
      'include[1]: expected a string or an object, found 5',
    ]);
    expect(messages('{"rules": {"tier": {"severity": "off", "reason": "r", "resaon": "s"}}}')).toEqual([
      'unknown key "resaon" in rules.tier; did you mean "reason"?',
    ]);
  });

  it('says of a reason what it has to be', () => {
    const message = (reason: string) =>
      read(JSON.stringify({ rules: { tier: { severity: 'off', reason } } })).diagnostics.map((one) => one.message);
    expect(message('\u200b')).toEqual([
      expect.stringMatching(/^rules\.tier\.reason: expected a text with a visible character, found /),
    ]);
    expect(message('a'.repeat(1001))).toEqual([expect.stringMatching(/^rules\.tier\.reason: .*1000/)]);
    for (const reason of ['.', '理由', '🙂', 'a'.repeat(1000)]) expect(message(reason)).toEqual([]);
  });

  it('takes a rule by its name or its id, with or without a reason', () => {
    const { config, diagnostics } = read(
      '{"rules": {"tier": "error", "TG102": {"severity": "off", "reason": "not ours"}}}',
    );
    expect(diagnostics).toEqual([]);
    expect([...config.rules]).toEqual([
      ['tier', { severity: 'error' }],
      ['mcp-only', { severity: 'off', reason: 'not ours' }],
    ]);
  });

  it('says of a rule that cannot be set what it is, what was meant, and what a silenced one needs', () => {
    const message = (rules: object) => read(JSON.stringify({ rules })).diagnostics.map((found) => found.message);
    expect(message({ 'mcp-onyl': 'warn' })).toEqual(['rules: there is no rule "mcp-onyl"; did you mean "mcp-only"?']);
    expect(message({ colour: 'warn' })).toEqual(['rules: there is no rule "colour"; docs/rules.md lists them']);
    const never =
      'tells of a problem, which cannot be silenced or lowered: what cannot be determined is not served; remove the key';
    expect(message({ TG006: { severity: 'off', reason: 'we know' } })).toEqual([`the rule "TG006" ${never}`]);
    expect(message({ unreadable: 'warn' })).toEqual([`the rule "unreadable" ${never}`]);
    expect(message({ tier: 'off' })).toEqual([
      'rules.tier: expected a reason, to silence a rule: {"severity": "off", "reason": "why it does not fit here"}, found "off"',
    ]);
    expect(message({ tier: 'warn', TG109: 'error' })).toEqual([
      'rules: "TG109" and "tier" are one rule; keep one of the two keys',
    ]);
  });

  it('allows folders whose names only begin alike', () => {
    expect(read('{"folders": [{"path": "graph"}, {"path": "graph-2"}]}').diagnostics).toEqual([]);
  });

  it('names the place of a syntax error', () => {
    const { diagnostics } = read('{\n  "name": "x",\n  oops\n}');
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'invalid-config', line: 3, column: 3 })]);
    expect(diagnostics[0]?.message).toMatch(/^not JSON: /);
  });

  it('refuses what is not UTF-8, too large, not a file, or a link out of the instance', () => {
    const file = join(root, 'toolgraph.config.json');
    const onlyMessage = () => readConfig(root).diagnostics.map(({ message }) => message);
    writeFileSync(file, Buffer.from('\uFEFF{"name": "x"}', 'utf16le'));
    expect(onlyMessage()).toEqual(['the file is not UTF-8; save it as UTF-8']);
    writeFileSync(file, ' '.repeat(1_048_577));
    expect(onlyMessage()).toEqual(['the file is larger than 1048576 bytes']);
    rmSync(file);
    mkdirSync(file);
    expect(onlyMessage()).toEqual(['expected a regular file']);
    rmSync(file, { recursive: true });
    writeFileSync(join(parent, 'outside.json'), '{}');
    symlinkSync('../outside.json', file);
    expect(onlyMessage()).toEqual(['the link leads outside the instance; copy the file into the instance']);
    rmSync(file);
    writeFileSync(join(root, 'inside.json'), '{"name": "linked"}');
    symlinkSync('inside.json', file);
    expect(readConfig(root).config.name).toBe('linked');
  });

  it('says that permissions are missing', () => {
    read('{}');
    chmodSync(parent, 0o755);
    chmodSync(join(root, 'toolgraph.config.json'), 0);
    expect(unprivileged(() => readConfig(root)).diagnostics[0]?.message).toBe(
      'the file cannot be read; check its permissions',
    );
  });

  it('takes one byte order mark and Windows line ends', () => {
    expect(read('\uFEFF{\r\n"name": "x"\r\n}').config.name).toBe('x');
  });

  it('survives JSON that is nested very deeply', () => {
    const deep = `{"name": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(read(deep).diagnostics).toMatchObject([{ pointer: '/name', message: expect.stringMatching(/^name: /) }]);
    expect(read('['.repeat(200_000)).diagnostics).toHaveLength(1);
  });
});
