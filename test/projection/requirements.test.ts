import { describe, expect, it } from 'vitest';
import { hostQuestions } from '../../src/projection/requirements.js';
import { sampleNode } from './sample-node.js';

describe('hostQuestions', () => {
  it('asks for what the Tools require, each once, and for the first words of their shell arms (P12)', () => {
    const questions = hostQuestions([
      sampleNode({ requires: { runtime: ['bun', 'python:yaml'], env: ['TOKEN'] }, when: { exists: ['package.json'] } }),
      sampleNode({ id: 'second', invoke: { shell: "'bin/a b' c" }, requires: { runtime: ['bun'] } }),
      sampleNode({ id: 'third', invoke: { shell: 'a | b', manual: true } }),
      sampleNode({ id: 'fourth', invoke: { manual: true } }),
    ]);
    expect(questions).toEqual({
      commands: new Set(['echo', 'bin/a b']),
      runtimes: new Set(['bun', 'python:yaml']),
      env: new Set(['TOKEN']),
      paths: new Set(['package.json']),
    });
  });
});
