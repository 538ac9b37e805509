import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../schemas/declaration.js';
import { isContained } from '../../../src/check/contract/difference.js';
import { beyond } from '../../../src/check/contract/inclusion.js';
import type { PatternAnswers } from '../../../src/check/contract/pattern-question.js';
import { readSchema } from '../../../src/check/contract/read-schema.js';
import { noAnswers } from './no-answers.js';
import { jsonValue, rewritten, schemaArbitrary, schemaPair, smallValues } from './schema-arbitrary.js';

const runs = 500;

/** Decides what a pattern of this test matches; its patterns are harmless. */
const answers: PatternAnswers = {
  matches: (pattern, text) => new RegExp(pattern, 'u').test(text),
  word: ({ matching, notMatching, min, max = Infinity }) => {
    const words = [
      '',
      'a',
      'b',
      'ab',
      'ba',
      'aa',
      'aab',
      'é',
      'aé',
      'éb',
      'aaaab',
      'x',
      'xx',
      'xxx',
      'aaaa',
      'xxxxx',
      'aéb',
    ];
    const word = words.find((one) => {
      const fits = [...one].length >= min && [...one].length <= max;
      const matches = (pattern: string) => new RegExp(pattern, 'u').test(one);
      return fits && matching.every(matches) && (notMatching === undefined || !matches(notMatching));
    });
    return word === undefined ? undefined : { word };
  },
};

function compare(a: Json, b: Json, patterns = answers) {
  return beyond(readSchema(a, '', patterns), readSchema(b, '', patterns), patterns);
}

const ajv = new Ajv2020({ ownProperties: true, strict: false, logger: false });
formats.default(ajv);

function validator(schema: Json): (value: Json) => boolean {
  const validate = ajv.compile(schema as object);
  return (value) => validate(value);
}

describe('What a schema accepts beyond another', () => {
  it('is nothing where both are the same', () => {
    fc.assert(
      fc.property(schemaArbitrary, fc.constantFrom(answers, noAnswers), (schema, patterns) => {
        const again = JSON.parse(JSON.stringify(schema)) as Json;
        expect(compare(schema, again, patterns)).toEqual({ differences: [], undecided: [] });
      }),
      { numRuns: runs },
    );
  });

  it('is nothing where one is another spelling of the other', () => {
    fc.assert(
      fc.property(schemaArbitrary, fc.infiniteStream(fc.nat(7)), (schema, choices) => {
        const other = rewritten(schema, () => choices.next().value);
        expect(compare(schema, other)).toEqual({ differences: [], undecided: [] });
        expect(compare(other, schema)).toEqual({ differences: [], undecided: [] });
      }),
      { numRuns: runs },
    );
  });

  it('is shown by values that the one accepts and the other refuses', () => {
    let shown = 0;
    fc.assert(
      fc.property(schemaPair, ([a, b]) => {
        const { differences } = compare(a, b);
        if (differences.length === 0) return;
        const [acceptsA, acceptsB] = [validator(a), validator(b)];
        for (const { example } of differences) {
          shown += 1;
          expect([acceptsA(example), acceptsB(example)], JSON.stringify(example)).toEqual([true, false]);
        }
      }),
      { numRuns: runs },
    );
    expect(shown).toBeGreaterThan(runs / 4);
  });

  it('is nothing of a closed object only where as many members are accepted', () => {
    const properties = { x: {}, y: {} };
    const open = { type: 'object', properties, additionalProperties: false };
    const { differences } = compare(open, { ...open, maxProperties: 1 });
    expect(differences).toMatchObject([{ what: 'objects of more than 1 property', example: { x: null, y: null } }]);
    expect(compare({ ...open, maxProperties: 1 }, open)).toEqual({ differences: [], undecided: [] });
  });

  it('has no value where it is said to be nothing', () => {
    let proved = 0;
    fc.assert(
      fc.property(schemaPair, fc.array(jsonValue, { minLength: 20, maxLength: 40 }), ([a, b], values) => {
        if (!isContained(compare(a, b))) return;
        proved += 1;
        const [acceptsA, acceptsB] = [validator(a), validator(b)];
        for (const value of [...smallValues, ...values])
          if (acceptsA(value)) expect(acceptsB(value), JSON.stringify(value)).toBe(true);
      }),
      { numRuns: runs },
    );
    expect(proved).toBeGreaterThan(runs / 20);
  });
});
