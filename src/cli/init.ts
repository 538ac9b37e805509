import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { errorMessage } from '../error-message.js';
import { UsageError } from './arguments.js';
import { shellWord } from './shell-word.js';
import { outputOf } from './terminal.js';

export function addInit(program: Command): void {
  program
    .command('init')
    .summary('make an instance with one tool')
    .description(
      'Makes a working instance in DIR: a config, one tool that only reads, its skill, and the JSON Schemas by which an editor completes and ' +
        'checks nodes. Lists the files, and says what to do next. DIR may exist and hold other files; nothing is overwritten.',
    )
    .argument('<DIR>', 'the folder; made when it is not there')
    .option('--schemas', 'only the JSON Schemas for editors, in the place of older ones: after an update of toolgraph')
    .action((directory: string, options: { schemas?: true }) =>
      options.schemas === true ? copySchemas(directory) : init(directory),
    );
}

async function init(directory: string): Promise<void> {
  const root = folderOf(directory);
  const [{ readConfig }, { initFiles, schemaFolders }, { writeNewFiles }] = await Promise.all([
    import('../instance/config.js'),
    import('./init-files.js'),
    import('./new-files.js'),
  ]);
  const { name } = readConfig(root).config;
  const isInstalled = existsSync(join(root, schemaFolders.installed));
  const files = new Map([
    ...initFiles(name, isInstalled ? schemaFolders.installed : schemaFolders.copied),
    ...(isInstalled ? [] : await schemaCopies()),
  ]);
  writeNewFiles(root, files);
  outputOf(process.stdout, process.env).lines([...files.keys()]);
  outputOf(process.stderr, process.env).lines(await nextSteps(directory, root, name));
}

/** The folder is named after toolgraph, and what is in it is toolgraph's. */
async function copySchemas(directory: string): Promise<void> {
  const root = folderOf(directory);
  const { default: writeFileAtomic } = await import('write-file-atomic');
  const copies = await schemaCopies();
  for (const [path, content] of copies) {
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileAtomic.sync(join(root, path), content);
    } catch (error) {
      throw new Error(`${path} cannot be written: ${errorMessage(error)}`);
    }
  }
  outputOf(process.stdout, process.env).lines([...copies.keys()]);
}

function folderOf(directory: string): string {
  const root = resolve(directory);
  if (existsSync(root) && !statSync(root).isDirectory()) {
    throw new UsageError(`DIR ${directory}: not a directory`);
  }
  return root;
}

/** The schemas of this program, by their paths in an instance. */
async function schemaCopies(): Promise<ReadonlyMap<string, string>> {
  const { editorSchemas, schemaFile, schemaFolders } = await import('./init-files.js');
  const { resolve: find } = createRequire(import.meta.url);
  return new Map(
    editorSchemas.map((name) => [
      schemaFile(schemaFolders.copied, name),
      readFileSync(find(schemaFile('toolgraph/schemas', name)), 'utf8'),
    ]),
  );
}

async function nextSteps(directory: string, root: string, name: string): Promise<string[]> {
  const [{ clientConfig }, { initPaths }, { visible }] = await Promise.all([
    import('./client-config.js'),
    import('./init-files.js'),
    import('../visible.js'),
  ]);
  const dir = visible(shellWord(directory));
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
