import { describe, expect, it } from 'vitest';
import { unknownSkill } from '../../../src/check/rules/unknown-skill.js';
import { iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

const skill = { iri: 'urn:toolgraph:demo:skill/docs', document: 'graph/skills/docs.md', name: 'docs' };

describe('unknown-skill', () => {
  it('finds a name that no skill has, and asks what was meant', () => {
    const nodes = [node('a', { satisfies: ['docs', 'dosc', 'release'] })];
    expect(found(unknownSkill, checked({ nodes, skills: [skill] }))).toEqual([
      {
        message: 'a: it satisfies "dosc", and no skill has this name; did you mean "docs"?',
        document: 'graph/tools/a.json',
        pointer: '/satisfies',
        subject: iriOf('a'),
      },
      expect.objectContaining({ message: 'a: it satisfies "release", and no skill has this name' }),
    ]);
  });

  it('knows a skill by its IRI too', () => {
    const nodes = [node('a', { satisfies: [skill.iri] })];
    expect(messages(unknownSkill, checked({ nodes, skills: [skill] }))).toEqual([]);
  });

  it('asks nothing of an instance that describes no skill, whatever another one describes', () => {
    const nodes = [node('a', { satisfies: ['x'] }), { ...node('b', { satisfies: ['docs'] }), instance: '../b' }];
    expect(messages(unknownSkill, checked({ nodes }))).toEqual([]);
    const there = { ...skill, instance: '../b' };
    expect(messages(unknownSkill, checked({ nodes, skills: [there] }))).toEqual([]);
  });
});
