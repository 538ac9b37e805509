import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from './arguments.js';
import { outputOf } from './terminal.js';

export function addInit(program: Command): void {
  program
    .command('init')
    .summary('make an instance with one tool')
    .description(
      'Makes a working instance in DIR: a config, one tool that only reads, and its skill. Lists the files, and says what to do next. ' +
        'DIR may exist and hold other files; nothing is overwritten.',
    )
    .argument('<DIR>', 'the folder; made when it is not there')
    .action(init);
}

/** Where the schemas lie in a project in which toolgraph is installed. */
const installedSchemas = 'node_modules/toolgraph/schemas/generated';

async function init(directory: string): Promise<void> {
  const root = resolve(directory);
  if (existsSync(root) && !statSync(root).isDirectory()) {
    throw new UsageError(`DIR ${directory}: not a directory`);
  }
  const [{ readConfig }, { initFiles }, { writeNewFiles }] = await Promise.all([
    import('../instance/config.js'),
    import('./init-files.js'),
    import('./new-files.js'),
  ]);
  const { name } = readConfig(root).config;
  const files = initFiles(name, existsSync(join(root, installedSchemas)) ? installedSchemas : undefined);
  writeNewFiles(root, files);
  outputOf(process.stdout, process.env).lines([...files.keys()]);
  outputOf(process.stderr, process.env).lines(await nextSteps(directory, root, name));
}

async function nextSteps(directory: string, root: string, name: string): Promise<string[]> {
  const [{ clientConfig }, { initPaths }, { visible }] = await Promise.all([
    import('./client-config.js'),
    import('./init-files.js'),
    import('./print/plain.js'),
  ]);
  const dir = visible(/^[\w./~@:+-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", "'\\''")}'`);
  return [
    '',
    'Next:',
    `  toolgraph tools ${dir}             what a client would see`,
    `  toolgraph call disk-usage ${dir}   call the tool`,
    `  toolgraph serve ${dir}             leave it running in a terminal, edit ${initPaths.tool}, and see the change arrive`,
    '',
    'An MCP client starts the server by itself. Configure it like this:',
    `  ${visible(clientConfig(name, root))}`,
  ];
}
