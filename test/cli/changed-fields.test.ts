import { expect, it } from 'vitest';
import { changedFields } from '../../src/cli/changed-fields.js';

const port = (name: string, schema: string) => ({ name, schema });

it.each([
  ['nothing', { id: 'a', io: { inputs: [port('x', 's')] } }, { id: 'a', io: { inputs: [port('x', 's')] } }, []],
  ['a member', { title: 'a', tier: 'stable' }, { title: 'b', tier: 'stable' }, ['title']],
  ['members that come and go', { version: '1', a: 1 }, { effect: 'read', a: 1 }, ['version', 'effect']],
  [
    'a member of a member',
    { invoke: { shell: 'a', manual: true } },
    { invoke: { shell: 'b', manual: true } },
    ['invoke.shell'],
  ],
  [
    'a field of an input',
    { io: { inputs: [port('x', 's')] } },
    { io: { inputs: [port('x', 't')] } },
    ['io.inputs.x.schema'],
  ],
  ['inputs that come and go', { inputs: [port('x', 's')] }, { inputs: [port('y', 's')] }, ['inputs.x', 'inputs.y']],
  [
    'the order of inputs',
    { inputs: [port('x', 's'), port('y', 's')] },
    { inputs: [port('y', 's'), port('x', 's')] },
    ['inputs'],
  ],
  ['a list of words', { satisfies: ['a'] }, { satisfies: ['a', 'b'] }, ['satisfies']],
] as const)('names %s', (_, before, after, fields) => {
  expect(changedFields(before, after)).toEqual(fields);
});
