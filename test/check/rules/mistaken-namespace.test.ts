import { describe, expect, it } from 'vitest';
import { mistakenNamespace } from '../../../src/check/rules/mistaken-namespace.js';
import { checked, found } from '../checked-instance.js';

const document = 'graph/x.ttl';
const subject = 'urn:toolgraph:demo:tool/a';

function judged(...statements: readonly (readonly [term: string, isClass?: boolean])[]): string[] {
  const foreign = statements.map(([term, isClass = false]) => ({ document, subject, term, isClass }));
  return found(mistakenNamespace, checked({ foreign })).map(({ message }) => message);
}

describe('mistaken-namespace', () => {
  it.each([
    'http://w3id.org/toolgraph/ns#Tool',
    'https://w3id.org/toolgraph/ns/Tool',
    'https://www.w3id.org/toolgraph/ns#Tool',
    'https://w3id.org/Toolgraph/NS#Tool',
    'https://w3id.org/toolgraph#Tool',
    'https://example.org/toolgraph/vocabulary#Tool',
  ])('finds a class in a namespace that is almost ours: %s', (term) => {
    expect(judged([term, true])).toEqual([
      `<${term}> is not in the namespace <https://w3id.org/toolgraph/ns#>, so it is not read`,
    ]);
  });

  it('finds a field in one, once for each document and namespace', () => {
    const wrong = 'http://w3id.org/toolgraph/ns#';
    expect(
      found(
        mistakenNamespace,
        checked({
          foreign: [
            { document, subject, term: `${wrong}effect`, isClass: false },
            { document, subject, term: `${wrong}invoke`, isClass: false },
          ],
        }),
      ),
    ).toEqual([{ message: expect.stringContaining(`<${wrong}effect>`), document, subject }]);
  });

  it('finds what is a Tool with our fields in a namespace of any name', () => {
    const wrong = 'https://w3id.org/tooolgraph/ns#';
    expect(judged([`${wrong}Tool`, true], [`${wrong}invoke`], [`${wrong}satisfies`])).toHaveLength(1);
    expect(judged([`${wrong}Tool`, true], [`${wrong}invoke`])).toEqual([]);
    expect(judged([`${wrong}Tool`, true], [`${wrong}weight`], [`${wrong}colour`])).toEqual([]);
  });

  it('leaves other vocabularies alone, with names like ours too', () => {
    expect(judged(['https://schema.org/description'], ['http://www.w3.org/2000/01/rdf-schema#label'])).toEqual([]);
    expect(judged(['https://example.org/ns#Tool', true], ['https://example.org/ns#title'])).toEqual([]);
    expect(judged(['http://w3id.org/toolgraph/ns#ownExtension'])).toEqual([]);
  });
});
