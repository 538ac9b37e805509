import type { Command } from 'commander';
import { directoryArgument, UsageError } from './arguments.js';
import { outputOf } from './terminal.js';

export function addToken(program: Command): void {
  program
    .command('token')
    .summary('make the token that HTTP clients must send')
    .description(
      'Makes a token, which every client of serve --http must send from then on as "Authorization: Bearer TOKEN", and prints it on stdout, this ' +
        'once: only its SHA-256 is kept. An older token ends at once, in services that run too.',
    )
    .addArgument(directoryArgument())
    .option('--revoke', 'end the token, and make none')
    .action((root: string, options: { revoke?: true }) => (options.revoke === true ? revoke(root) : make(root)));
}

async function make(root: string): Promise<void> {
  const folder = await stateFolderOf(root);
  const { makeToken } = await import('../store/access-token.js');
  outputOf(process.stdout, process.env).lines([makeToken(folder)]);
  outputOf(process.stderr, process.env).lines([
    'toolgraph: the token is shown this once. It holds from now on, and an older one does not. Clients of serve --http send it as "Authorization: Bearer TOKEN".',
  ]);
}

async function revoke(root: string): Promise<void> {
  const folder = await stateFolderOf(root);
  const { revokeToken } = await import('../store/access-token.js');
  const words = revokeToken(folder)
    ? 'the token is revoked. A service that runs with it refuses every request until there is another; one that is started now needs none on loopback, and does not start elsewhere.'
    : 'there was no token.';
  outputOf(process.stderr, process.env).lines([`toolgraph: ${words}`]);
}

async function stateFolderOf(root: string): Promise<string> {
  const [{ strayFolderWords }, { openStateFolder }] = await Promise.all([
    import('./stray-folder.js'),
    import('../store/state-folder.js'),
  ]);
  const stray = strayFolderWords(root);
  if (stray !== undefined) throw new UsageError(stray);
  return openStateFolder(root, process.env).path;
}
