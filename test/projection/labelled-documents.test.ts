import { describe, expect, it } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import { DocumentLabeller, documentIn } from '../../src/projection/labelled-documents.js';
import { entry, generation, omission } from '../cli/generation-builder.js';

describe('documentIn', () => {
  it.each([
    ['', 'graph/a.json', 'graph/a.json'],
    ['', '.', '.'],
    ['../other', 'graph/a.json', '../other/graph/a.json'],
    ['../other', '.', '../other'],
    ['/', 'graph', '/graph'],
  ])('under %j, %s is %s', (label, document, named) => {
    expect(documentIn(label, document)).toBe(named);
  });
});

describe('DocumentLabeller', () => {
  const original = generation(
    [entry('a')],
    [omission('b', 'tier', 'r')],
    [
      problem('duplicate-id', 'the Tool "x" of graph/x 1.json is also in graph/y.json, a.json; remove "graph/y.json"', {
        document: 'graph/x.json',
      }),
      problem('duplicate-id', 'the other', { document: 'graph/y.json', subject: 'urn:x' }),
      problem('unreadable', 'without a document'),
    ],
  );

  it('names the documents of every part, and those in messages that have a problem of their own', () => {
    const { entries, omissions, problems } = new DocumentLabeller('../o').label(original);
    expect(entries.get('a')).toMatchObject({ instance: '../o', document: '../o/graph/tools/a.json' });
    expect(omissions[0]).toMatchObject({ instance: '../o', document: '../o/graph/tools/b.json' });
    expect(problems).toEqual([
      problem(
        'duplicate-id',
        'the Tool "x" of graph/x 1.json is also in ../o/graph/y.json, a.json; remove "../o/graph/y.json"',
        { instance: '../o', document: '../o/graph/x.json' },
      ),
      problem('duplicate-id', 'the other', { instance: '../o', document: '../o/graph/y.json', subject: 'urn:x' }),
      problem('unreadable', 'without a document', { instance: '../o' }),
    ]);
  });

  it('keeps what stays, so that an edit makes one new entry and digests one declaration', () => {
    const labeller = new DocumentLabeller('../o');
    const before = labeller.label(original);
    const after = labeller.label(generation([...original.entries.values(), entry('c')], original.omissions));
    expect(after.entries.get('a')).toBe(before.entries.get('a'));
    expect(after.omissions[0]).toBe(before.omissions[0]);
    expect(after.entries.get('a')?.declaration).toBe(original.entries.get('a')?.declaration);
  });
});
