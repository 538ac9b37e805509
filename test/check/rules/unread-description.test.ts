import { describe, expect, it } from 'vitest';
import { unreadDescription } from '../../../src/check/rules/unread-description.js';
import { input, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

const term = 'http://www.w3.org/2000/01/rdf-schema#comment';
const subject = `${iriOf('a')}/input/path`;
const foreign = [{ document: 'graph/a.ttl', subject, term, isClass: false }];

function taking(description?: string) {
  const inputs = [input('text'), input('path', description === undefined ? {} : { description })];
  return [node('a', { io: { inputs, outputs: [] } })];
}

describe('unread-description', () => {
  it('warns of a port that is described in words of another vocabulary alone', () => {
    expect(found(unreadDescription, checked({ nodes: taking(), foreign }))).toEqual([
      {
        message: `a: its input "path" is described with <${term}>, which no model reads`,
        document: 'graph/tools/a.json',
        pointer: '/io/inputs/1',
        subject: iriOf('a'),
      },
    ]);
  });

  it('finds nothing where it has a description too, or where the other words say something else', () => {
    expect(messages(unreadDescription, checked({ nodes: taking('Where'), foreign }))).toEqual([]);
    const other = [{ document: 'graph/a.ttl', subject, term: 'https://example.org/weight', isClass: false }];
    expect(messages(unreadDescription, checked({ nodes: taking(), foreign: other }))).toEqual([]);
  });
});
