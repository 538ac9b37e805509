import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ToolSchema } from '../../schemas/tool-rules.js';
import { projectFile, sourceFiles } from './source-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/src/cli/main.js');
const readme = projectFile('README.md');
const firstNode = /serves this node and calls it\. -->\n```json\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? '';
const instance = mkdtempSync(join(tmpdir(), 'toolgraph-readme-'));

afterAll(() => rmSync(instance, { recursive: true, force: true }));

describe('The README', () => {
  it('has a first node of five lines that is valid', () => {
    expect(firstNode.split('\n')).toHaveLength(5);
    expect(ToolSchema.parse(JSON.parse(firstNode))).toMatchObject({ id: 'count-words' });
  });

  it('has a first node that is served from an empty folder and can be called', () => {
    mkdirSync(join(instance, 'graph/tools'), { recursive: true });
    writeFileSync(join(instance, 'graph/tools/count-words.json'), firstNode);
    const toolgraph = (...args: string[]): string =>
      execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
    const { tools } = JSON.parse(toolgraph('tools', instance, '--json')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['count_words']);
    expect(toolgraph('call', 'count-words', instance, '--args', '{"text":"one two three"}').trim()).toBe('3');
  });

  it('shows a line for every command, and no other', () => {
    const shown = [...readme.matchAll(/^toolgraph (\w+) .*\bDIR\b/gm)].map(([, name]) => name);
    const built = [...sourceFiles('src/cli').values()].flatMap((text) => text.match(/(?<=\.command\(')\w+/g) ?? []);
    expect([...new Set(shown)].sort()).toEqual(built.sort());
  });
});
