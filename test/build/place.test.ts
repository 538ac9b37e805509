import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildFolder } from '../../src/build/place.js';
import { temporaryFolder } from './build-samples.js';

function instance() {
  const parent = temporaryFolder();
  const root = join(parent, 'inst');
  mkdirSync(join(root, 'graph/tools'), { recursive: true });
  mkdirSync(join(parent, 'out'));
  const source = { root, folders: [{ path: 'graph/tools' }], ignore: ['graph/tools/drafts'] };
  return { parent, root, source };
}

describe('buildFolder', () => {
  it('gives the folder without links, whether it is there or not', () => {
    const { parent, root, source } = instance();
    symlinkSync('inst', join(parent, 'link'));
    expect(buildFolder(join(parent, 'link/build/mcp'), [source])).toBe(join(root, 'build/mcp'));
    expect(buildFolder(join(parent, 'out'), [source])).toBe(join(parent, 'out'));
    expect(buildFolder(join(root, 'graph/tools/drafts/x'), [source])).toBe(join(root, 'graph/tools/drafts/x'));
  });

  it.each([
    ['.', 'is the instance itself'],
    ['..', 'holds the instance'],
    ['graph', 'holds the node folder graph/tools'],
    ['graph/tools', 'lies in the node folder graph/tools, where it would be read as nodes'],
    ['graph/tools/deep/er', 'lies in the node folder graph/tools'],
    ['.toolgraph/build', 'lies in .toolgraph, which toolgraph may delete'],
    ['alias', 'lies in the node folder graph/tools'],
    ['link', 'is a link; name the folder it leads to'],
    ['nowhere', 'is a link; which leads nowhere; remove it'],
    ['file', 'is a file; name a folder, or remove the file'],
    ['file/below', 'lies below a file; name a folder'],
  ])('refuses %s: %s', (path, reason) => {
    const { root, source } = instance();
    writeFileSync(join(root, 'file'), '');
    symlinkSync('graph/tools', join(root, 'seen'));
    symlinkSync('../out', join(root, 'link'));
    symlinkSync('missing', join(root, 'nowhere'));
    const out = path === 'alias' ? join(root, 'seen/build') : join(root, path);
    expect(() => buildFolder(out, [source])).toThrow(`--out ${out} ${reason}`);
  });

  it('looks at included instances too, and suggests a folder of the first', () => {
    const { parent, root, source } = instance();
    const other = { root: join(parent, 'out'), folders: [{ path: '.' }], ignore: [] };
    const out = join(parent, 'out/x');
    expect(() => buildFolder(out, [source, other])).toThrow(
      `--out ${out} lies in the node folder ., where it would be read as nodes; name a folder of its own, such as ${root}/build`,
    );
  });
});
