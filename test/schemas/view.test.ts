import { describe, expect, it } from 'vitest';
import { placedMessage, wordIssues } from '../../schemas/issue-words.js';
import { ViewSchema, viewRules } from '../../schemas/view.js';

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

  const id = { name: 'id', schema: 'urn:x:y', required: true };
  const day = { name: 'day', schema: 'urn:x:y' };

  it.each([
    ['notes://today', []],
    ['urn:notes:today', []],
    ['https://example.org/a?b=c&d=%20', []],
    ['notes://{id}', [id]],
    ['notes://{id}/of/{day}?x={id2}', [id, day, { ...day, name: 'id2' }]],
  ])('may be read at %s', (uri, parameters) => {
    expect(messages({ uri, parameters, mediaType: 'text/plain' })).toEqual([]);
    expect(viewRules({ uri, parameters, mediaType: 'text/plain' })).toEqual([]);
  });

  it.each([
    'today',
    '/today',
    'notes://a b',
    'notes://ä',
    'notes://a#b',
    'notes://{id}.json',
    'notes://{id}{day}',
    'notes://{?id}',
    'notes://{',
    '',
  ])('may not be read at %j', (uri) => {
    expect(messages({ uri })).toEqual([expect.stringMatching(/^uri: expected an absolute URI without fragment, /)]);
  });

  it('has one media type', () => {
    expect(messages({ uri: 'notes://a', mediaType: 'png' })).toEqual([
      'mediaType: expected a media type, such as "text/plain", found "png"',
    ]);
  });

  it.each([
    [{ mediaType: 'text/plain' }, 'mediaType', 'is what is read at "uri", which is missing; add it'],
    [{ uri: 'toolgraph://tools' }, 'uri', 'is a URI of toolgraph itself; choose another scheme'],
    [{ uri: 'notes://{id}' }, 'uri', 'has the variable "id", which is no parameter; add it'],
    [{ uri: 'notes://{id}/{id}', parameters: [id] }, 'uri', 'has the variable "id" twice; leave one out'],
    [{ uri: 'notes://{day}', parameters: [id, day] }, 'uri', 'lacks the parameter "id", which is required; add {id}'],
  ])('breaks a rule with %j', (fields, at, message) => {
    expect(viewRules(fields)).toEqual([{ path: [at], message }]);
  });
});
