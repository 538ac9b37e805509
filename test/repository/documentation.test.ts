import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { projectFile } from './source-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);

/** The anchors of the headings of a page, made as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = withoutCode(projectFile(path)).match(/^#+ .*$/gm) ?? [];
  return new Set(headings.map((line) => anchor(line.replace(/^#+ /, ''))));
}

function anchor(heading: string): string {
  const text = heading.replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return text.trim().toLowerCase().replaceAll(' ', '-');
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, (code) => code.slice(1, -1));
}

/** What a link to a page or a file of the project does not reach. */
function deadLinks(page: string): string[] {
  const links = [...withoutCode(projectFile(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
  return links.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', fragment] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, file))) return true;
    return fragment !== undefined && file.endsWith('.md') && !anchorsOf(file).has(fragment);
  });
}

describe('The documentation', () => {
  it.each(pages)('links to files and headings that are there: %s', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  it('knows the anchor of a heading', () => {
    expect(anchor('TG205 hidden-text')).toBe('tg205-hidden-text');
    expect(anchor('`busy`, and what to do')).toBe('busy-and-what-to-do');
  });
});
