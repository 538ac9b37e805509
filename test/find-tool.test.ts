import { describe, expect, it } from 'vitest';
import { problem } from '../src/diagnostic.js';
import { findTools, unknownToolMessage } from '../src/find-tool.js';
import { entry, generation, iriOf, node, omission } from './cli/generation-builder.js';

const served = entry('git-log');
const omitted = omission('deploy', 'tier', 'experimental');
const broken = problem('unresolved-schema', 'no type X', { subject: iriOf('word-count') });
const inPort = problem('unsafe-pattern', 'slow', { subject: `${iriOf('git-log')}/input/only` });
const mixed = generation([served], [omitted], [broken, inPort]);
const nodes = [node('git-log'), node('deploy')];

describe('findTools', () => {
  it.each(['git-log', 'git_log', iriOf('git-log')])('finds a served Tool by id, name and IRI: %s', (wanted) => {
    const [found] = findTools(wanted, mixed, nodes);
    expect(found).toMatchObject({ id: 'git-log', entry: served, node: nodes[0] });
  });

  it('finds an omitted Tool, and one that is only a problem', () => {
    expect(findTools('deploy', mixed, nodes)[0]).toMatchObject({ omission: omitted, node: nodes[1], problems: [] });
    expect(findTools('word-count', mixed, nodes)).toEqual([
      { id: 'word-count', iri: iriOf('word-count'), problems: [broken] },
    ]);
  });

  it('gives a problem of a port to its Tool', () => {
    expect(findTools('git-log', mixed, nodes)[0]?.problems).toEqual([inPort]);
    expect(findTools('git-log', mixed, [])[0]?.problems).toEqual([inPort]);
  });

  it('prefers an id to a name that is the same', () => {
    const other = { ...omission('a-b', 'tier', 'experimental'), name: 'ab' };
    expect(findTools('ab', generation([entry('ab')], [other]), [])).toMatchObject([{ id: 'ab' }]);
  });

  it('finds both of two Tools with one id', () => {
    const other = { ...omitted, iri: 'https://example.org/ns#tool/git-log', id: 'git-log' };
    expect(findTools('git-log', generation([served], [other]), [])).toHaveLength(2);
  });

  it('reads the id out of an IRI that nothing else names', () => {
    const foreign = problem('invalid-node', 'bad', { subject: 'https://example.org/ns#tool/caf%C3%A9' });
    expect(findTools('café', generation([], [], [foreign]), [])).toHaveLength(1);
    const odd = problem('invalid-node', 'bad', { subject: 'urn:x:tool/%E0' });
    expect(findTools('%E0', generation([], [], [odd]), [])).toHaveLength(1);
  });

  it('finds nothing that is not there', () => {
    expect(findTools('', mixed, nodes)).toEqual([]);
    expect(findTools('constructor', mixed, nodes)).toEqual([]);
  });
});

describe('unknownToolMessage', () => {
  it('names the nearest id or name', () => {
    expect(unknownToolMessage('git-lgo', mixed, nodes)).toBe('unknown tool git-lgo; did you mean git-log?');
    expect(unknownToolMessage('deplyo', mixed, nodes)).toBe('unknown tool deplyo; did you mean deploy?');
  });

  it('names none where none is near', () => {
    const words = 'unknown tool quite-another; "toolgraph tools" lists those that are known';
    expect(unknownToolMessage('quite-another', mixed, nodes)).toBe(words);
  });

  it('names a document that could not be read, the one of a like name first', () => {
    const [a, b] = ['graph/a.json', 'graph/half.json'].map((document) => problem('unreadable', 'no "}"', { document }));
    const unread = generation(
      [],
      [],
      [a, b].flatMap((one) => one ?? []),
    );
    expect(unknownToolMessage('half', unread, [])).toBe(
      'unknown tool half; "toolgraph tools" lists those that are known; or it is in graph/half.json, which "toolgraph check" tells more of',
    );
    expect(unknownToolMessage('other', unread, [])).toContain('; or it is in graph/a.json, which');
  });
});
