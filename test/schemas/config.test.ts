import { describe, expect, it } from 'vitest';
import { ConfigSchema, servedTiers } from '../../schemas/config.js';

describe('A config', () => {
  it('may be empty', () => {
    expect(ConfigSchema.parse({})).toEqual({});
  });

  it('keeps every field of tool-node.md §5', () => {
    const config = {
      name: 'harness',
      base: 'https://example.org/h/',
      include: ['../other', { path: '/b', prefix: 'b' }],
      folders: [{ path: 'tools', kind: 'tools' }, { path: 'graph' }],
      prefix: 'h',
      tiers: ['stable', 'experimental'],
      host: { os: 'linux', runtime: { bun: false, python: 'python3' }, network: true },
      env: ['GH_TOKEN'],
      limits: { timeoutMs: 1000, outputBytes: 1000 },
      arms: ['shell'],
      engine: { command: 'podman', flags: ['--runtime=crun'] },
      rules: { 'mcp-only': 'warn', TG109: { severity: 'off', reason: 'a test corpus' } },
      actor: { name: 'ci', role: 'bot', version: '1' },
      require: ['word-count'],
      allowIris: ['https://example.org/'],
      ignore: ['graph/drafts'],
      keepGoing: true,
      http: { host: '127.0.0.1', port: 0 },
      logLevel: 'debug',
    };
    expect(ConfigSchema.parse(config)).toEqual(config);
  });

  it.each([
    ['an unknown key', { nam: 'x' }, 'Unrecognized key: "nam"'],
    ['the tier internal', { tiers: ['internal'] }, 'Invalid option'],
    ['a folder outside of the instance', { folders: [{ path: '../x' }] }, 'expected a path inside the instance'],
    ['an absolute folder', { folders: [{ path: '/etc' }] }, 'expected a path inside the instance'],
    ['a prefix with "_"', { prefix: 'a_b' }, 'expected 1 to 16 letters and digits'],
    ['a rule that is off without a reason', { rules: { tier: 'off' } }, 'Invalid input'],
    ['a base that is no IRI', { base: 'harness' }, 'expected an absolute IRI'],
    ['an arm that is never projected', { arms: ['mcp'] }, 'Invalid option'],
  ])('is refused with %s', (_, config, message) => {
    const messages = ConfigSchema.safeParse(config).error?.issues.map((issue) => issue.message);
    expect(messages).toEqual([expect.stringContaining(message)]);
  });

  it('never serves the tier internal', () => {
    expect(servedTiers).toEqual(['stable', 'experimental', 'deprecated']);
  });
});
