import { describe, expect, it } from 'vitest';
import type { EngineCommand } from '../../schemas/engine.js';
import { engineFailure, imageFailure } from '../../src/invocation/container-failure.js';
import type { ProcessEnd } from '../../src/invocation/run.js';

function ended(exitCode: number, stderrTail: string, more: Partial<ProcessEnd> = {}): ProcessEnd {
  const output = { text: '', truncated: false };
  const none = { outputBytes: Buffer.alloc(0), survivors: [], endedSurvivors: [] };
  return { kind: 'ended', exitCode, signal: null, output, stdoutTail: '', stderrTail, ...none, ...more };
}

function failureOf(engine: EngineCommand, end: ProcessEnd, command: string | undefined = 'sync') {
  return engineFailure({ engine, image: 'x:1', command }, end);
}

const podman127 =
  'Error: runc: runc create failed: exec: "sync": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found\n';
const docker127 =
  'docker: Error response from daemon: failed to create task for container: OCI runtime create failed: exec: "sync": executable file not found in $PATH: unknown.\n\nRun \'docker run --help\' for more information\n';

describe('What an engine says for itself', () => {
  it.each<[EngineCommand, number, string, string]>([
    ['podman', 127, podman127, 'There is no command sync in the image x:1'],
    ['docker', 127, docker127, 'There is no command sync in the image x:1'],
    [
      'podman',
      126,
      'Error: exec: "sync": permission denied: OCI permission denied\n',
      'The command sync in the image x:1 cannot be executed',
    ],
    [
      'podman',
      125,
      'Error: x:1: image not known\n',
      'The image x:1 is not on this host, and a call downloads nothing; run: podman pull x:1',
    ],
    [
      'docker',
      125,
      'docker: Error response from daemon: No such image: x:1\n',
      'The image x:1 is not on this host, and a call downloads nothing; run: docker pull x:1',
    ],
    [
      'podman',
      125,
      "Error: unknown flag: --nosuch\nSee 'podman run --help'\n",
      'podman could not run the image x:1: unknown flag: --nosuch',
    ],
  ])('%s, %i: %s', (engine, exitCode, stderr, message) => {
    expect(failureOf(engine, ended(exitCode, stderr))).toMatchObject({
      code: 'spawn_failed',
      message,
      details: { engine, exitCode, stderr },
    });
  });

  it.each([
    ['another exit code', ended(1, 'Error: it failed\n')],
    ['a program that ends with 127 of its own', ended(127, 'sh: nosuch: not found\n')],
    ['a program that says Error and ends with 126', ended(126, 'Error: no\n')],
    ['a program that has written something', ended(127, podman127, { stdoutTail: 'x' })],
    ['silence', ended(125, '')],
    ['a program that was stopped', ended(125, 'Error: x\n', { stopReason: 'timeout' })],
  ])('is not heard in %s', (_, end) => {
    expect(failureOf('podman', end)).toBeUndefined();
  });

  it('tells of an engine that does not answer about an image', () => {
    const down = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.\n';
    expect(imageFailure('docker', 'x:1', ended(1, down))).toMatchObject({
      code: 'spawn_failed',
      message: 'docker could not look at the image x:1: it ended with exit code 1',
      details: { stderr: down },
    });
    expect(imageFailure('docker', 'x:1', ended(1, '', { stopReason: 'timeout' }))).toMatchObject({
      message: 'docker did not answer in time',
    });
    expect(imageFailure('docker', 'x:1', ended(1, '', { stopReason: 'cancelled' }))).toMatchObject({
      kind: 'refused',
      code: 'cancelled',
    });
  });
});
