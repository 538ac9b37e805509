import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { argvSafeTypes, builtinTypeNodes, builtinTypesId } from '../../../schemas/types.js';
import { type Advice, adviceFor } from '../../../src/check/advice/advice.js';
import { codes, type OmissionCode, type ProblemCode } from '../../../src/diagnostic.js';
import type { TypeNode, TypeRegistry } from '../../../src/projection/node.js';
import { splitWords } from '../../../src/projection/words.js';
import { input, tool } from '../../cli/generation-builder.js';

const types: TypeRegistry = new Map<string, TypeNode>([
  ...builtinTypeNodes.map(({ iri, schema }) => [iri, { iri, document: '', schema }] as const),
  ...['Plain', 'Bounded'].map((name) => {
    const iri = `https://example.org/types#/$defs/${name}`;
    const schema = { type: 'string', ...(name === 'Bounded' ? { pattern: '^[a-z ]+$' } : {}) };
    return [iri, { iri, document: 'graph/types.json', schema }] as const;
  }),
]);

function builtin(name: string): string {
  return `${builtinTypesId}#/$defs/${name}`;
}

function advised(code: OmissionCode | ProblemCode, fields: Partial<Tool>, reason = ''): Advice {
  return adviceFor(code, tool('deploy', fields), { reason, types });
}

/** What a line of a change says: `"shell": "x"` is `{shell: "x"}`. */
function parsed(change: string | undefined): Record<string, unknown> {
  return JSON.parse(`{${change}}`);
}

const found = Object.entries(codes).flatMap(([code, { kind }]) => (kind === 'call' ? [] : [code as OmissionCode]));

describe('adviceFor', () => {
  it.each(found)('has whole sentences for each code, with a node and without: %s', (code) => {
    for (const about of [tool('deploy'), undefined]) {
      const { steps, now = '', change = [] } = adviceFor(code, about, { reason: 'for a reason', types });
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) expect(step).toMatch(/^[A-Z].{10,}/);
      expect([...steps, now, ...change].join('\n')).not.toMatch(/undefined|\[object|\$\{|NaN/);
    }
  });

  it.each([
    ['git log | head', 'no shell that could connect', 'scripts/deploy.sh'],
    ['make > out.txt', 'no shell that could connect', 'scripts/deploy.sh'],
    ['a && b', 'no shell that could connect', 'scripts/deploy.sh'],
    ['ls *.md', 'between single quotes', 'scripts/deploy.sh'],
    ['ls ~/notes', 'from the root of the instance', 'scripts/deploy.sh'],
    ['echo $HOME', 'make it an input', 'scripts/deploy.sh'],
    ['LANG=C sort', 'requires.env', 'scripts/deploy.sh'],
    ['cd docs', '"cwd" in toolgraph.config.json', 'scripts/deploy.sh'],
    ["echo 'a", 'Close the quote', 'scripts/deploy.sh'],
    ['make # all', 'A comment', 'scripts/deploy.sh'],
    ['make\nls', 'Put the line into the file', 'scripts/deploy.sh'],
    ['git log <branch name> --oneline', '"name":"branch_name"', 'git log --oneline'],
    ['git log [--max-count=<n>]', '"arg":{"flag":"--max-count","joined":true}', 'git log'],
    ['ls [-l]', `"schema":"${builtin('Flag')}"`, 'ls'],
  ])('turns %j into a command that needs no shell', (shell, words, expected) => {
    const { steps, pointer, now, change } = advised('shell-syntax', { invoke: { shell } });
    expect(steps.join('\n')).toContain(words);
    expect([pointer, parsed(now).shell, parsed(change?.[0]).shell]).toEqual(['/invoke/shell', shell, expected]);
    expect(splitWords(expected)).toHaveProperty('words');
  });

  it('offers an input without a way each way that is free', () => {
    const ways = (inputs: Tool['io']['inputs']) =>
      advised('unreachable-input', { io: { inputs, outputs: [] } }, 'its required input "note" has no arg').change;
    const note = input('note', { schema: builtin('Slug'), required: true });
    const flag = '"arg": {"flag":"--note"}';
    const stdin = '"arg": {"stdin":true}';
    expect(ways([note])).toEqual([flag, '"arg": {"positional":0}', stdin]);
    expect(ways([{ ...note, repeated: true }])).toEqual([flag, '"arg": {"positional":0}']);
    const first = (fields: object) => input('a', { schema: builtin('Slug'), arg: { positional: 0 }, ...fields });
    expect(ways([first({ required: true }), note])).toEqual([flag, '"arg": {"positional":1}', stdin]);
    expect(ways([first({}), note])).toEqual([flag, stdin]);
    expect(ways([first({ required: true, repeated: true }), note])).toEqual([flag, stdin]);
    const text = { ...note, schema: builtin('Text') };
    expect(ways([text])).toEqual([stdin]);
    expect(ways([text, input('b', { arg: { stdin: true } })])).toBeUndefined();
  });

  it.each([
    ['out-dir', ['Path']],
    ['branch', ['Branch']],
    ['max_count', ['Count']],
    ['message', ['Word']],
  ])('offers an unsafe input types that are likely and safe, and stdin: %s', (name, likely) => {
    const inputs = [input('other'), input(name, { schema: builtin('Text'), arg: { flag: '--x' } })];
    const {
      steps,
      pointer,
      change = [],
    } = advised(
      'unsafe-argv-input',
      { io: { inputs, outputs: [] } },
      `its input "${name}" goes into argv, and the type Text has no pattern, so it admits ";"`,
    );
    expect(pointer).toBe('/io/inputs/1/schema');
    expect(change).toEqual([...likely.map((type) => `"schema": "${builtin(type)}"`), '"arg": {"stdin":true}']);
    for (const type of likely) expect(argvSafeTypes).toContain(type);
    expect(steps.join('\n')).toContain(`Built-in types that are so: ${argvSafeTypes.join(', ')}.`);
    expect(steps.join('\n')).not.toContain('in the type itself');
  });

  it("names the file of an instance's own type that is unsafe", () => {
    const inputs = [input('x', { schema: 'https://example.org/types#/$defs/Bounded', arg: { positional: 0 } })];
    const { steps } = advised('unsafe-argv-input', { io: { inputs, outputs: [] } }, 'its input "x" goes into argv');
    expect(steps.join('\n')).toContain('Or state it in the type itself: Bounded in graph/types.json, with an enum');
  });

  it.each([
    ['node -e', 'node -e', 'node scripts/deploy.js'],
    ['python3 -c', 'python -c', 'python3 scripts/deploy.py'],
    ['sh -c', 'sh -c', 'sh scripts/deploy.sh'],
    ['su -c', 'su -c', 'scripts/deploy.sh'],
  ])('puts the code of %s into a file', (shell, interpreter, expected) => {
    const reason = `its input "x" would become code: it is run by ${interpreter}`;
    expect(parsed(advised('interpreter-slot', { invoke: { shell } }, reason).change?.[0])).toEqual({ shell: expected });
  });

  it('says of a type that nothing defines which there are, and how to define it', () => {
    const of = (schema: string) => {
      const { steps, ...rest } = advised('unresolved-schema', {
        io: { inputs: [input('a', { schema })], outputs: [] },
      });
      return { text: steps.join('\n'), ...rest };
    };
    const mistyped = of('https://example.org/types#/$defs/Plian');
    expect(mistyped.change).toEqual(['"schema": "https://example.org/types#/$defs/Plain"']);
    expect(mistyped.text).toContain('Or define it in graph/types.json, under "$defs": "Plian": {');
    const elsewhere = of('https://example.org/none#/$defs/Slug');
    expect(elsewhere.change).toEqual([`"schema": "${builtin('Slug')}"`]);
    const [whole = ''] = /\{"\$schema".*/.exec(elsewhere.text) ?? [];
    expect(JSON.parse(whole)).toMatchObject({ $id: 'https://example.org/none', $defs: { Slug: { type: 'string' } } });
  });

  it('names of what the host lacks only what is missing', () => {
    const requires = { env: ['A', 'B'], runtime: ['x', 'y'] };
    const env = advised(
      'unmet-env',
      { requires },
      'it needs the environment variable B, not set or not listed under "env" in the config',
    );
    expect(env.steps[0]).toMatch(/^Set B where/);
    expect(env.steps[1]).toContain('"env": ["A","B"]');
    const runtime = advised('unmet-runtime', { requires }, 'it needs y, not found on this host');
    expect(runtime.steps[0]).toMatch(/^Install y:/);
    expect(runtime.steps[1]).toContain('{"runtime":{"y":');
  });

  it('tells a command of the instance from one of the host', () => {
    const own = advised(
      'command-not-found',
      { invoke: { shell: 'bin/x -a' } },
      'its command bin/x is not an executable file of the instance',
    );
    expect(own.steps.join('\n')).toContain('chmod +x bin/x');
    const missing = (install?: Tool['install']) =>
      advised('command-not-found', { invoke: { shell: 'bun run x' }, install }, 'its command bun is not found on PATH');
    expect(missing().steps.slice(0, 2)).toEqual(['Install bun.', expect.stringContaining('"command -v bun"')]);
    expect(missing({ cli: 'npm install -g bun' }).steps[0]).toBe('Install bun, as its node says: npm install -g bun');
    const others = missing({ container: 'oven/bun:1', service: 'https://bun.example/' }).steps.join(' ');
    expect(others).toContain('an image that has it: oven/bun:1');
    expect(others).toContain('a service that offers it: https://bun.example/');
    expect(missing()).not.toHaveProperty('change');
    expect(missing().steps.join(' ')).not.toContain('/bun');
  });

  it('says of a deprecated tier how to serve it, and never that it is stable while it says why it is not', () => {
    const of = (deprecated?: Tool['deprecated']) => advised('tier', { tier: 'deprecated', deprecated });
    expect(of({ reason: 'slow' }).steps.join(' ')).toMatch(/--tiers stable,deprecated.*remove "deprecated" and "tier"/);
    expect(of({ reason: 'slow' })).not.toHaveProperty('change');
    expect(of().change).toEqual(['"tier": "stable"']);
  });
});
