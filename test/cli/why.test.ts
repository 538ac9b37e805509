import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Instance, toolNode, typeIri } from '../e2e/instance.js';
import { run } from './cli-process.js';

const word = { schema: typeIri('Word') };

let made: Instance;
afterAll(() => made.dispose());

beforeAll(async () => {
  made = await Instance.make([
    toolNode('say-hello', {
      io: {
        inputs: [
          { name: 'name', ...word, arg: { flag: '--name' } },
          { name: 'note', ...word },
        ],
        outputs: [],
      },
      requires: { os: ['linux', 'darwin'] },
    }),
    toolNode('late', { tier: 'experimental', alternativeTo: ['say-hello'] }),
  ]);
  await made.write('graph/skills/testing/SKILL.md', '---\nname: testing\ndescription: Tests.\n---\n');
});

describe('toolgraph why', () => {
  it.each(['say-hello', 'say_hello'])('tells everything of a served tool, by id or by name: %s', async (wanted) => {
    const { root } = made;
    const { code, stdout, stderr } = await run(['why', wanted, root, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'say-hello',
      name: 'say_hello',
      state: 'projected',
      document: 'graph/tools/say-hello.json',
      line: 1,
      arm: 'shell',
      words: ['echo', 'say-hello'],
      definition: expect.stringMatching(/^[0-9a-f]{64}$/),
      skills: [{ name: 'testing', known: true }],
      requirements: [{ kind: 'os', needs: expect.any(Array), met: 'yes' }],
      inputs: [
        { name: 'name', required: false, reaches: '--name <name>' },
        { name: 'note', reaches: expect.stringContaining('left out of the inputSchema') },
      ],
      alternatives: [{ id: 'late', state: 'tier' }],
    });
    expect(stdout).not.toContain(root);
  });

  it('tells of an omitted tool why, and what its node says', async () => {
    const { root } = made;
    const { code, stdout } = await run(['why', 'late', root]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^late\n {2}state {8}omitted: tier$/m);
    expect(stdout).toContain('  to do        Serve the tier with --tiers or the config.');
    expect(stdout).toContain('  arm          shell: echo late');
    expect(stdout).toContain('  alternatives say-hello (projected)');
  });

  it('exits 1 on an id that is unknown, with the one that may have been meant', async () => {
    const { root } = made;
    expect(await run(['why', 'say-helo', root])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'toolgraph: unknown tool say-helo; did you mean say-hello?\n',
    });
  });
});
