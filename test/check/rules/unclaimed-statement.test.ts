import { describe, expect, it } from 'vitest';
import { unclaimedStatement } from '../../../src/check/rules/unclaimed-statement.js';
import { problem } from '../../../src/diagnostic.js';
import { TG } from '../../../src/store/vocabulary.js';
import { generation, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

function stated(subject: string, ...properties: string[]) {
  return { document: 'graph/more.ttl', subject, properties };
}

const gate = `${TG}requiresConfirmation`;
const nodes = [node('deploy')];

describe('unclaimed-statement', () => {
  it('finds what is stated of a Tool that no document describes, and asks what was meant', () => {
    expect(found(unclaimedStatement, checked({ nodes, unclaimed: [stated(iriOf('deplyo'), gate)] }))).toEqual([
      {
        message: `no document describes the Tool <${iriOf('deplyo')}> (did you mean "deploy"?), so what is stated of it has no effect`,
        document: 'graph/more.ttl',
        subject: iriOf('deplyo'),
      },
    ]);
  });

  it('finds what is stated of a port that a Tool does not have, and of anything in our own words', () => {
    const unclaimed = [
      stated(`${iriOf('deploy')}/input/nmae`, 'http://purl.org/dc/terms/description'),
      stated('https://example.org/x', gate),
    ];
    expect(messages(unclaimedStatement, checked({ nodes, unclaimed }))).toEqual([
      `the Tool "deploy" has no part <${iriOf('deploy')}/input/nmae>, so what is stated of it has no effect`,
      'no document describes <https://example.org/x>, so what is stated of it has no effect',
    ]);
  });

  it('leaves data of other kinds alone', () => {
    const unclaimed = [stated('https://example.org/book', 'http://purl.org/dc/terms/title')];
    expect(messages(unclaimedStatement, checked({ nodes, unclaimed }))).toEqual([]);
  });

  it('says nothing where the Tool is a problem, or may be in a document that cannot be read', () => {
    const unclaimed = [stated(`${iriOf('x')}/input/a`, gate)];
    const ofTool = [problem('invalid-node', 'no', { subject: iriOf('x') })];
    expect(messages(unclaimedStatement, checked({ unclaimed, generation: generation([], [], ofTool) }))).toEqual([]);
    const ofFile = [problem('unreadable', 'no', { document: 'graph/x.json' })];
    expect(messages(unclaimedStatement, checked({ unclaimed, generation: generation([], [], ofFile) }))).toEqual([]);
  });
});
