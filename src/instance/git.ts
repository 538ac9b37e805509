import { spawn } from 'node:child_process';

/** git is not there, or says that it cannot do what was asked: its words. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** Of what git writes. */
const maxOutputBytes = 268_435_456;
const maxErrorBytes = 16_384;

/**
 * What a repository itself says about how git works must not make anything run, or ask a network: no hooks, no monitor of files, no
 * fetching of objects that a partial clone lacks.
 */
export const harmless = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'],
  ...['--no-pager', '--no-optional-locks', '--literal-pathspecs'],
];

/** Gives what git writes to stdout. Rejects with a GitError. Only for commands that read objects: these run no filter. */
export function readGit(folder: string, args: readonly string[], input = ''): Promise<Buffer> {
  const child = spawn('git', [...harmless, '-C', folder, ...args], {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let bytes = 0;
  let errorBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxOutputBytes) child.kill('SIGKILL');
    else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errorBytes += chunk.length;
    if (errorBytes <= maxErrorBytes) errors.push(chunk);
  });
  // It may end before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new GitError(`git cannot be started: ${error.message}`)));
    child.on('close', (code) => {
      if (bytes > maxOutputBytes) reject(new GitError(`git gives more than ${maxOutputBytes} bytes`));
      else if (code === 0) resolve(Buffer.concat(output));
      else reject(new GitError(firstLine(Buffer.concat(errors).toString('utf8')) || `git ends with ${code}`));
    });
  });
}

/**
 * No variable that says another repository than that of the folder, or that starts a program: git sets some for its hooks. That no protocol
 * is allowed is said here too, because a repository may allow one in its config, which a variable overrules. An object is what its id says, and
 * not another that this repository puts in its place.
 */
export function gitEnvironment(env: Readonly<NodeJS.ProcessEnv> = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

function firstLine(text: string): string {
  return (
    text
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '') ?? ''
  );
}
