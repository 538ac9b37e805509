import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/invocation/environment.js';

const env = {
  PATH: '/bin',
  HOME: '/home/a',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TZ: 'UTC',
  TMPDIR: '/tmp',
  USER: 'a',
  GH_TOKEN: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NODE_OPTIONS: '--require=/evil.js',
  LD_PRELOAD: '/evil.so',
  UNSET: undefined,
};

describe('the environment of a child', () => {
  it('X12: is the base list and nothing else', () => {
    expect(Object.keys(childEnvironment(env, [], [])).sort()).toEqual(
      ['HOME', 'LANG', 'LC_ALL', 'LC_TIME', 'PATH', 'TMPDIR', 'TZ', 'USER'].sort(),
    );
  });

  it('X12: has a name more only when the node lists it and the config permits it', () => {
    expect(childEnvironment(env, ['GH_TOKEN'], [])).not.toHaveProperty('GH_TOKEN');
    expect(childEnvironment(env, [], ['GH_TOKEN'])).not.toHaveProperty('GH_TOKEN');
    expect(childEnvironment(env, ['GH_TOKEN'], ['GH_TOKEN'])).toMatchObject({ GH_TOKEN: 'secret' });
  });

  it('X2: has no folder of PATH that depends on where the tool runs', () => {
    expect(childEnvironment({ PATH: '.:/bin::tools:/usr/bin:' }, [], [])).toEqual({ PATH: '/bin:/usr/bin' });
    expect(childEnvironment({ PATH: '.:' }, [], [])).toEqual({});
  });

  it('has no entry for a variable that is not set', () => {
    expect(childEnvironment(env, ['UNSET'], ['UNSET'])).not.toHaveProperty('UNSET');
  });

  it('takes a variable named __proto__ for a variable', () => {
    const odd = JSON.parse('{"__proto__": "x", "PATH": "/bin"}');
    const passed = childEnvironment(odd, ['__proto__'], ['__proto__']);
    expect(Object.keys(passed).sort()).toEqual(['PATH', '__proto__']);
    expect(Object.getPrototypeOf(passed)).toBe(Object.prototype);
  });
});
