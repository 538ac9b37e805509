import { describe, expect, it } from 'vitest';
import { hostQuestions } from '../../src/projection/requirements.js';
import { sampleNode } from './sample-node.js';

describe('hostQuestions', () => {
  it('asks for what the Tools require, each once, and for what their arms run (P12)', () => {
    const questions = hostQuestions([
      sampleNode({ requires: { runtime: ['bun', 'python:yaml'], env: ['TOKEN'] }, when: { exists: ['package.json'] } }),
      sampleNode({ id: 'second', invoke: { shell: "'bin/a b' c" }, requires: { runtime: ['bun'] } }),
      sampleNode({ id: 'third', invoke: { shell: 'a | b', manual: true } }),
      sampleNode({ id: 'fourth', invoke: { manual: true } }),
      sampleNode({ id: 'fifth', invoke: { inProcess: { module: 'src/a.mjs' }, manual: true } }),
      sampleNode({ id: 'sixth', invoke: { container: 'x:1', manual: true } }),
    ]);
    expect(questions).toEqual({
      commands: new Set(['echo', 'bin/a b']),
      modules: new Set(['src/a.mjs']),
      engines: new Set(['podman', 'docker']),
      runtimes: new Set(['bun', 'python:yaml']),
      env: new Set(['TOKEN']),
      paths: new Set(['package.json']),
    });
  });
});
