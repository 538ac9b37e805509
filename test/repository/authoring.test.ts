import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AuthorProject } from '../schemas/author-project.js';
import { projectFile } from './source-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = projectFile('docs/authoring.md');
const script = /calls the tool that it makes\. -->\n```ts\n([\s\S]*?)\n```/.exec(page)?.[1] ?? '';

describe('The page on writing nodes', () => {
  it('has a script that compiles, and makes nodes that pass the check and can be called', () => {
    const project = new AuthorProject({ 'tools.mts': script, 'package.json': '{ "type": "commonjs" }' });
    expect(project.compile()).toEqual([]);
    project.run('tools.mjs');
    expect(readdirSync(join(project.root, 'graph/tools'))).toEqual(['line-count.json']);
    const cli = join(root, 'dist/src/cli/main.js');
    expect(project.run(cli, 'check')).toMatch(/^0 errors, .*1 tool served$/m);
    expect(project.run(cli, 'call', 'line-count', '--args', '{"files":["tools.mts"]}')).toMatch(/\d+ tools\.mts/);
  });
});
