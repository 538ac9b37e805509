import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { exampleOf, formless, isExampleOf, isFormatRefusing } from '../../../src/check/contract/formats.js';

const known = ['date', 'date-time', 'duration', 'email', 'ipv4', 'ipv6', 'time', 'uri', 'uuid'];

function has(format: string, text: string): boolean {
  const ajv = new Ajv2020();
  formats.default(ajv);
  return ajv.compile({ type: 'string', format })(text);
}

describe('The example of a format', () => {
  it.each(known)('%s has it, and none of the others', (format) => {
    const example = exampleOf(format) ?? '';
    expect(known.filter((other) => has(other, example))).toEqual([format]);
    expect(known.filter((other) => isExampleOf(other, example))).toEqual([format]);
    expect(known.filter((other) => !isFormatRefusing(other, example))).toEqual([format]);
  });

  it('is never what has no format', () => {
    expect(known.filter((format) => has(format, formless) || !isFormatRefusing(format, formless))).toEqual([]);
  });

  it('says nothing of a format that is not known', () => {
    expect([isExampleOf('hostname', 'a'), isFormatRefusing('hostname', formless)]).toEqual([false, false]);
  });
});
