import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnableArm } from '../../schemas/tool.js';
import { moduleKey } from '../../src/projection/in-process-arm.js';
import { project } from '../../src/projection/project.js';
import { registry, sampleNode, sampleTypes, typeIri, willingHost } from './sample-node.js';

type Fields = NonNullable<Parameters<typeof sampleNode>[0]>;

function projected(fields: Fields, facts: Parameters<typeof willingHost>[1] = {}, arms?: readonly RunnableArm[]) {
  const tools = [sampleNode(fields)];
  const options = { tiers: ['stable'] as const, ...(arms === undefined ? {} : { arms }) };
  const verdicts = new Map();
  const host = willingHost(tools, facts);
  const { entries, omissions } = project({
    tools,
    types: registry(sampleTypes),
    problems: [],
    verdicts,
    host,
    options,
  });
  return { entry: entries.get('sample'), omission: omissions[0] };
}

const both = { inProcess: { module: 'src/a.mjs' }, shell: 'echo hello' };
const nothing = { commands: new Map(), modules: new Map() };
const noModule = {
  arm: 'inProcess',
  code: 'module-not-found',
  reason: 'its module src/a.mjs is not a file of the instance',
};
const noCommand = { arm: 'shell', code: 'command-not-found', reason: 'its command echo is not found on PATH' };

describe('The arm that runs a Tool', () => {
  it('is the first that can run here: a function before a command', () => {
    expect(projected({ invoke: both }).entry).toMatchObject({ binding: { arm: 'inProcess', module: 'src/a.mjs' } });
    expect(projected({ invoke: both }).entry).not.toHaveProperty('rejectedArms');
  });

  it('is the first of the order of the config, which also names those that come last', () => {
    expect(projected({ invoke: both }, {}, ['shell']).entry?.binding.arm).toBe('shell');
    expect(projected({ invoke: both }, {}, ['container', 'inProcess']).entry?.binding.arm).toBe('inProcess');
  });

  it('is the next where the preferred one cannot run, and both the entry and the omission tell of the others', () => {
    const { entry } = projected({ invoke: both }, { modules: new Map() });
    expect(entry).toMatchObject({ binding: { arm: 'shell' }, rejectedArms: [noModule] });
    const { omission } = projected({ invoke: both }, nothing);
    expect(omission).toMatchObject({
      code: noModule.code,
      reason: noModule.reason,
      rejectedArms: [noModule, noCommand],
    });
    expect(projected({ invoke: both }, nothing, ['shell']).omission).toMatchObject({ code: 'command-not-found' });
  });

  it('is another one where an arm has a fault that a change of the node would cure; alone, the fault is the reason', () => {
    const invoke = { ...both, shell: 'a | b' };
    expect(projected({ invoke }, {}, ['shell']).entry).toMatchObject({
      binding: { arm: 'inProcess' },
      rejectedArms: [{ arm: 'shell', code: 'shell-syntax' }],
    });
    expect(projected({ invoke }, { modules: new Map() }, ['shell']).omission?.code).toBe('shell-syntax');
    expect(projected({ invoke }).entry).not.toHaveProperty('rejectedArms');
  });

  it('P15 P12: is none where the tier or a requirement keeps the Tool back, whatever arm it has', () => {
    expect(projected({ invoke: both, tier: 'experimental' }).omission?.code).toBe('tier');
    expect(projected({ invoke: both, requires: { os: ['plan9'] } }).omission).toMatchObject({
      code: 'unmet-os',
      rejectedArms: [{ arm: 'inProcess' }, { arm: 'shell' }],
    });
  });

  it('P17: is what the definition digest is made of', () => {
    const digest = (fields: Fields, facts = {}) =>
      projected(fields, facts).entry?.declaration._meta['toolgraph/definition'];
    expect(digest({ invoke: both })).toBe(digest({ invoke: { inProcess: both.inProcess } }));
    expect(digest({ invoke: both }, { modules: new Map() })).toBe(digest({ invoke: { shell: both.shell } }));
    expect(digest({ invoke: both })).not.toBe(digest({ invoke: { inProcess: { module: 'src/b.mjs' } } }));
  });

  it('is the first of the order that the host can run, for every order and every host', () => {
    const arms = fc.shuffledSubarray<'inProcess' | 'shell'>(['inProcess', 'shell'], { minLength: 2 });
    fc.assert(
      fc.property(arms, fc.boolean(), fc.boolean(), (order, hasModule, hasCommand) => {
        const facts = {
          ...(hasModule ? {} : { modules: new Map() }),
          ...(hasCommand ? {} : { commands: new Map() }),
        };
        const can = { inProcess: hasModule, shell: hasCommand };
        expect(projected({ invoke: both }, facts, order).entry?.binding.arm).toBe(order.find((arm) => can[arm]));
      }),
    );
  });
});

describe('The inProcess arm (P10)', () => {
  const inProcess = { module: 'src/a.mjs' };

  it('P8: has every input in its inputSchema, with or without an arg, of any type', () => {
    const inputs = [
      { name: 'text', schema: typeIri('Text'), required: true },
      { name: 'loud', schema: typeIri('Loud'), arg: { flag: '--loud' } },
      { name: 'counts', schema: typeIri('Count'), repeated: true },
    ];
    const { entry } = projected({ invoke: { inProcess }, inputs });
    expect(Object.keys(entry?.declaration.inputSchema.properties ?? {})).toEqual(['text', 'loud', 'counts']);
    expect(entry?.declaration.inputSchema.required).toEqual(['text']);
  });

  it('P6: has an outputSchema when every output comes from the result', () => {
    const result = { name: 'all', schema: typeIri('Count'), from: { result: true, pointer: '/count' } } as const;
    const { entry } = projected({ invoke: { inProcess }, outputs: [result] });
    expect(entry?.declaration.outputSchema).toMatchObject({ properties: { all: { type: 'integer' } } });
    expect(entry?.binding.outputs).toEqual([{ name: 'all', pointer: '/count', required: true }]);
    const stdout = { ...result, name: 'other', from: { stdout: 'json' } } as const;
    expect(projected({ invoke: { inProcess }, outputs: [result, stdout] }).entry?.declaration).not.toHaveProperty(
      'outputSchema',
    );
    expect(projected({ invoke: { shell: 'echo' }, outputs: [result] }).entry?.declaration).not.toHaveProperty(
      'outputSchema',
    );
  });

  it.each([
    ['readme-sync', {}, ['default', 'readmeSync']],
    ['readme', {}, ['default', 'readme']],
    ['a-1-b2-c', {}, ['default', 'a1B2C']],
    ['readme', { register: 'run' }, ['run']],
  ])('looks in the module of %s with %j for %j', (id, fields, exports) => {
    const tools = [sampleNode({ id, invoke: { inProcess: { ...inProcess, ...fields } } })];
    const options = { tiers: ['stable'] as const, prefix: 'ch' };
    const input = { tools, types: new Map(), problems: [], verdicts: new Map(), host: willingHost(tools), options };
    const [entry] = project(input).entries.values();
    const name = id.replaceAll('-', '_');
    const names = [...new Set([id, name, `ch_${name}`])];
    expect(entry?.binding).toEqual({ arm: 'inProcess', module: 'src/a.mjs', exports, names });
  });

  it('is omitted as module-failed, with the reason, while its function cannot be had; others of the module go on', () => {
    const failedModules = new Map([[moduleKey({ module: 'src/a.mjs', exports: ['run'] }), 'does not load: no']]);
    expect(
      projected({ invoke: { inProcess: { ...inProcess, register: 'run' } } }, { failedModules }).omission,
    ).toMatchObject({
      code: 'module-failed',
      reason: 'its module src/a.mjs does not load: no',
    });
    expect(projected({ invoke: { inProcess } }, { failedModules }).entry?.id).toBe('sample');
  });
});
