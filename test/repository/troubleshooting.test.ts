import { describe, expect, it } from 'vitest';
import { codes } from '../../src/diagnostic.js';
import { projectFile, sourceFiles } from './source-files.js';

const page = projectFile('docs/troubleshooting.md');
/** Of a text in the sources, what stands in one string: words are joined over several lines there. */
const sources = [...sourceFiles('src').values()].join('\n').replace(/['`] \+\s+['`]/g, '');

describe('The page on troubleshooting', () => {
  it.each([
    'which the store needs, is not built for',
    'run `npm rebuild better-sqlite3` where toolgraph is installed',
    'fix what is named above, or start with --keep-going',
    'is no instance: it has no',
    'is taken by another process; give another port, or end that process',
    'a token is required',
    'the list of tools takes',
    'the node folders cannot be watched',
    'the watches of this user are used up; raise fs.inotify.max_user_watches, or end other programs that watch files',
    'the Host header names no host of this service',
    'pages of this origin',
    'Session not found',
    'nothing is here',
    'has held its lock for too long',
  ])('quotes what toolgraph says: %s', (words) => {
    expect(page).toContain(words);
    expect(sources.replaceAll('\\`', '`')).toContain(words);
  });

  it('has something to say of every code of a call', () => {
    const ofCalls = Object.entries(codes).filter(([, { kind }]) => kind === 'call');
    expect(ofCalls.map(([code]) => code).filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
