import { tmpdir } from 'node:os';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Declaration } from '../../schemas/declaration.js';
import { eventually } from '../e2e/deadline.js';
import type { EventQueue } from '../e2e/event-queue.js';
import { HttpServerProcess, serveCommand, serveEnv } from '../e2e/harness.js';
import { type Instance, nodePath, toolNode } from '../e2e/instance.js';
import { declaredTools, makeMapped, servedInstances, writeMapped } from './served-instances.js';

/** How a client starts the server. */
export interface Launch {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** One kind of client. `Shown` is a tool as this client hands it to whoever builds on it. */
export interface ClientKind<Shown> {
  /** To a server that it starts, or to one over HTTP. */
  connect(server: Launch | URL): Promise<ConnectedClient<Shown>>;
  /** What this client must make of a declaration. */
  shown(declaration: Declaration): Shown;
}

export interface ConnectedClient<Shown> {
  /** Asks the server for its tools, past any list that the client keeps. */
  list(): Promise<readonly Shown[]>;
  /** Text of the result of a call that must succeed. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
  /** The structured content of the result of a call that must succeed, as this client hands it on. */
  structured(name: string, args: Record<string, unknown>): Promise<unknown>;
  /** Text that this client gives for a call that the server answers with an error result. Fails when it shows no error. */
  failure(name: string, args: Record<string, unknown>): Promise<string>;
  /** One for each `list_changed` that the client passes on. Left out: it passes none on. */
  readonly listChanges?: EventQueue<true>;
  close(): Promise<void>;
}

/** How a client starts the built server on an instance. */
export function launchOf(root: string): Launch {
  const [command, ...args] = serveCommand({ root });
  return { command, args, cwd: tmpdir(), env: serveEnv() };
}

/** Connects a client to the built server on an instance, over stdio, or to one that serves over HTTP. It is closed after the test. */
export async function connectTo<Shown>(kind: ClientKind<Shown>, server: string | URL): Promise<ConnectedClient<Shown>> {
  const client = await kind.connect(typeof server === 'string' ? launchOf(server) : server);
  onTestFinished(() => client.close());
  return client;
}

/** The tests that every client has to pass. `name` is that of the package. */
export function describeClient<Shown>(name: string, kind: ClientKind<Shown>): void {
  describe(name, () => {
    it.each(servedInstances)('lists every tool as it was declared: $name', async ({ open }) => {
      const root = await open();
      const declared = await declaredTools(root);
      expect(declared.length).toBeGreaterThan(0);
      const client = await connectTo(kind, root);
      expect(await client.list()).toEqual(declared.map((tool) => kind.shown(tool)));
    });

    it('P5, P7, P8, P13: calls tools with arguments of every kind', async () => {
      const client = await connectTo(kind, (await writeMapped()).root);
      await client.list();
      expect(await client.call('prints', everyKind)).toBe(printed);
      expect(await client.call('takes_nothing', {})).toBe('takes-nothing\n');
      expect(await client.call('constructor', { type: 'a', not: 'b' })).toBe('constructor --type a --not b\n');
      expect(JSON.parse(await client.call('takes_route', { value: route }))).toEqual(route);
      expect(await client.call('asks_first', { word: 'yes', user_confirmed: true })).toBe('asks-first yes\n');
    });

    it('P6: takes outputs that satisfy the schema it was shown, the same as in the text', async () => {
      const { root } = await writeMapped();
      const client = await connectTo(kind, root);
      await client.list();
      const declared = await declaredTools(root);
      for (const [name, args, outputs] of structuredCalls) {
        expect(await client.structured(name, args)).toEqual(outputs);
        expect(JSON.parse(await client.call(name, args))).toEqual(outputs);
        const { outputSchema } = declared.find((tool) => tool.name === name) ?? {};
        expect(new Ajv2020({ strict: false }).validate(outputSchema ?? false, outputs)).toBe(true);
      }
    });

    it('cases P10: surfaces the errors of a tool with outputs, which have none', async () => {
      const client = await connectTo(kind, (await writeMapped()).root);
      await client.list();
      expect(refusalIn(await client.failure('fails_with_outputs', {}))).toMatchObject({ code: 'exit_code' });
      expect(refusalIn(await client.failure('gives_number', { text: 'words' }))).toMatchObject({
        code: 'output_not_json',
        details: { line: 1, column: 1, stdout: 'words' },
      });
      expect(refusalIn(await client.failure('gives_number', { text: '101' }))).toMatchObject({
        code: 'output_mismatch',
        details: { issues: [{ path: '/percent', message: 'must be <= 100' }] },
      });
    });

    it('surfaces an error result with its code, and goes on after it', async () => {
      const client = await connectTo(kind, (await writeMapped()).root);
      await client.list();
      expect(refusalIn(await client.failure('fails', {}))).toMatchObject({
        code: 'exit_code',
        details: { exitCode: 3 },
      });
      expect(await client.call('same_title', {})).toBe('same-title\n');
    });

    it('has the new list after an edit on disk, and is refused the tool that went', async () => {
      const instance = await writeMapped();
      const client = await connectTo(kind, instance.root);
      const before = await client.list();
      await instance.write(nodePath('added'), toolNode('added'));
      expect(await nextList(client, before.length + 1)).toEqual(
        (await declaredTools(instance.root)).map((tool) => kind.shown(tool)),
      );
      expect(await client.call('added', {})).toBe('added\n');

      await instance.remove(nodePath('added'));
      expect(await nextList(client, before.length)).toEqual(before);
      expect(refusalIn(await client.failure('added', {}))).toMatchObject({ code: 'tool_removed' });
    });
  });
}

/** The tests over HTTP: what the transport could change. One server serves them. */
export function describeHttpClient<Shown>(name: string, kind: ClientKind<Shown>): void {
  describe(`${name} over HTTP`, () => {
    let instance: Instance;
    let server: HttpServerProcess;

    beforeAll(async () => {
      instance = await makeMapped();
      server = await HttpServerProcess.start(instance);
    });

    afterAll(async () => {
      await server?.stop();
      await instance?.dispose();
    });

    it('lists every tool as it was declared, calls, and surfaces errors', async () => {
      const client = await connectTo(kind, server.url);
      expect(await client.list()).toEqual((await declaredTools(instance.root)).map((tool) => kind.shown(tool)));
      expect(await client.call('prints', everyKind)).toBe(printed);
      expect(await client.structured('gives_number', { text: ' 7\n' })).toEqual({ percent: 7 });
      expect(refusalIn(await client.failure('fails', {}))).toMatchObject({ code: 'exit_code' });
    });

    it('has the new list after an edit on disk, and is refused the tool that went', async () => {
      const client = await connectTo(kind, server.url);
      const before = await client.list();
      await instance.write(nodePath('added'), toolNode('added'));
      expect(await nextList(client, before.length + 1)).toEqual(
        (await declaredTools(instance.root)).map((tool) => kind.shown(tool)),
      );
      expect(await client.call('added', {})).toBe('added\n');
      await instance.remove(nodePath('added'));
      expect(await nextList(client, before.length)).toEqual(before);
      expect(refusalIn(await client.failure('added', {}))).toMatchObject({ code: 'tool_removed' });
    });
  });
}

const everyKind = {
  place: 'here',
  codes: ['AB-1', 'CD-22'],
  level: 'hög',
  percent: 100,
  ratio: 0.25,
  verbose: true,
  text: 'two lines\nof 日本語 🙂',
  words: ['a', 'b'],
};

const printed = [
  ...['here', '--code', 'AB-1', '--code', 'CD-22', '--level', 'hög', '--percent=100', '-r', '0.25', '--verbose'],
  ...['a', 'b', everyKind.text],
].join('\n');

const route = [{ name: 'Ø', 'postal-code.1': 'AB-12', levels: ['low', 'hög'], inside: { share: 1, open: true } }];

const report = JSON.stringify({ route, 'a/b': ['hög'], more: [1, null, { constructor: '🙂' }] });

/** Calls of tools with an outputSchema, and what they give. */
const structuredCalls: readonly (readonly [name: string, args: Record<string, unknown>, outputs: object])[] = [
  ['gives_report', { text: report }, { route, level: 'hög', whole: JSON.parse(report), printed: report }],
  ['gives_report', { text: '{"route":[]}\n' }, { route: [], whole: { route: [] }, printed: '{"route":[]}' }],
  ['gives_number', { text: ' 7\n' }, { percent: 7 }],
  ['gives_text', {}, { text: 'AB-1' }],
];

/** The list after the next change: when the client tells of it, or, where it tells nothing, as soon as it has so many tools. */
async function nextList<Shown>(client: ConnectedClient<Shown>, length: number): Promise<readonly Shown[]> {
  if (client.listChanges !== undefined) await client.listChanges.next();
  else await eventually(async () => (await client.list()).length === length, `${length} tools are listed`);
  return await client.list();
}

/** The `{code, message, details}` of an error result, whatever the client writes before it. */
function refusalIn(text: string): unknown {
  const start = text.indexOf('{');
  if (start === -1) throw new Error(`the client shows no code: ${text}`);
  return JSON.parse(text.slice(start));
}
