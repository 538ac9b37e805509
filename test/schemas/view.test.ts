import { describe, expect, it } from 'vitest';
import { placedMessage, wordIssues } from '../../schemas/issue-words.js';
import { ViewSchema } from '../../schemas/view.js';

const view = {
  id: 'tools-by-skill',
  title: 'Tools by skill',
  description: 'Lists them',
  query: 'SELECT * { ?s ?p ?o }',
};

function messages(changes: Readonly<Record<string, unknown>>): string[] {
  const written = { ...view, ...changes };
  const { error } = ViewSchema.safeParse(written);
  return error === undefined ? [] : wordIssues(error, ViewSchema, written).map(placedMessage);
}

describe('A view', () => {
  it('has a query, and may have a tier and typed parameters', () => {
    const parameters = [
      { name: 'skill', schema: 'urn:x:y', required: true },
      { name: 'since_2', schema: 'urn:x:z' },
    ];
    expect(messages({ '@type': 'View', '@id': 'urn:x:view/a', tier: 'internal', parameters })).toEqual([]);
  });

  it.each([
    [{ query: undefined }, 'query: required, but missing: expected a string'],
    [{ tier: 'beta' }, 'tier: expected one of "stable", "experimental", "deprecated", "internal", found "beta"'],
    [{ querry: 'ASK {}' }, 'unknown key "querry"; did you mean "query"?'],
    [
      { parameters: [{ name: '?s', schema: 'urn:x:y' }] },
      /^parameters\[0\]\.name: expected a variable name: .*, found "\?s"$/,
    ],
    [{ parameters: [{ name: 's', schema: 'Slug' }] }, 'parameters[0].schema: expected an absolute IRI, found "Slug"'],
  ])('is refused with %j', (changes, message) => {
    expect(messages(changes)).toEqual([message instanceof RegExp ? expect.stringMatching(message) : message]);
  });
});
