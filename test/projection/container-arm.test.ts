import { describe, expect, it } from 'vitest';
import { containerArm } from '../../src/projection/container-arm.js';
import { sampleNode, willingHost } from './sample-node.js';

type Fields = NonNullable<Parameters<typeof sampleNode>[0]>;

function bindingOf(container: NonNullable<Fields['invoke']>['container'], fields: Fields = {}, engines?: string[]) {
  const node = sampleNode({ ...fields, invoke: { container } });
  const bound = containerArm.bind({ tool: node.tool, name: 'sample', ports: [], verdicts: new Map() });
  if ('code' in bound) return bound;
  const answers = engines?.map((engine) => [engine, true] as const);
  return bound.on(willingHost([node], answers === undefined ? {} : { engines: new Map(answers) }));
}

describe('The container arm', () => {
  it('P9: is run by podman where both engines answer, and by docker where that does', () => {
    expect(bindingOf('x:1')).toMatchObject({ engine: 'podman' });
    expect(bindingOf('x:1', {}, ['docker'])).toMatchObject({ engine: 'docker' });
    expect(bindingOf('x:1', {}, [])).toMatchObject({ code: 'no-container-engine' });
  });

  it.each([
    ['x:1', {}, false],
    ['x:1', { network: true }, true],
    ['x:1', { network: false }, false],
    [{ image: 'x:1' }, { network: true }, true],
    [{ image: 'x:1', network: false }, { network: true }, false],
    [{ image: 'x:1', network: true }, {}, false],
    [{ image: 'x:1', network: true }, { network: true }, true],
  ])('P9: with %j and requires %j, whether it has a network is %j', (container, requires, network) => {
    expect(bindingOf(container, { requires })).toMatchObject({ network });
  });

  it('has the words of its image after that, split as a shell string is when it is text', () => {
    expect(bindingOf('x:1')).toMatchObject({ words: ['x:1'] });
    expect(bindingOf({ image: 'x:1', command: [] })).toMatchObject({ words: ['x:1'] });
    expect(bindingOf({ image: 'x:1', command: "a 'b c'" })).toMatchObject({ words: ['x:1', 'a', 'b c'] });
    expect(bindingOf({ image: 'x:1', command: ['a', '$(b)'] })).toMatchObject({ words: ['x:1', 'a', '$(b)'] });
    expect(bindingOf({ image: 'x:1', command: 'a $(b)' })).toMatchObject({ code: 'shell-syntax' });
  });

  it('mounts what is stated, so that it cannot be written unless that is stated', () => {
    const mounts = ['a/b', './c', 'd:/e', 'd:/f:ro', 'd:/g:rw', { source: 'h', target: '/i' }];
    const writable = { source: 'h', target: '/j', readOnly: false };
    expect(bindingOf({ image: 'x:1', mounts: [...mounts, writable] })).toMatchObject({
      mounts: [
        { source: 'a/b', target: '/a/b', readOnly: true },
        { source: './c', target: '/c', readOnly: true },
        { source: 'd', target: '/e', readOnly: true },
        { source: 'd', target: '/f', readOnly: true },
        { source: 'd', target: '/g', readOnly: false },
        { source: 'h', target: '/i', readOnly: true },
        writable,
      ],
    });
  });
});
