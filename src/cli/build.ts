import { createRequire } from 'node:module';
import type { Command } from 'commander';
import type { ServedTier } from '../../schemas/tool.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { directoryArgument, tiersOption, UsageError } from './arguments.js';
import { outputOf } from './terminal.js';

interface BuildOptions {
  readonly out: string;
  readonly check?: true;
  readonly scaffold?: true;
  readonly tiers?: ServedTier[];
}

export function addBuild(program: Command): void {
  program
    .command('build')
    .summary('write the tools as files for any server')
    .description(
      'Writes to FOLDER what a server of another make needs: mcp-tools.json (what tools/list gives), a JSON Schema for the input and output of ' +
        'each tool, and tools.jsonld (the graph). Lists on stdout what it did. Refuses what "toolgraph check" refuses, and then writes nothing.',
    )
    .addArgument(directoryArgument())
    .requiredOption('--out <FOLDER>', 'where to write; made when it is not there')
    .option('--check', 'write nothing; list what is stale, missing or extra, and exit 1 where anything is')
    .option('--scaffold', 'also a TypeScript server that lists the tools; files that are there stay as they are')
    .addOption(tiersOption())
    .action(build);
}

async function build(root: string, options: BuildOptions): Promise<void> {
  const { tiers } = options;
  const { readOnce } = await import('./one-shot.js');
  await readOnce(root, tiers === undefined ? {} : { tiers }, async (_, service) => {
    const generation = await service.loadModules();
    const folder = await folderOf(options.out, service);
    if (!(await isSound(root, generation, service))) return;
    const wanted = await wantedFiles(generation, service, options.scaffold === true);
    const { planBuild } = await import('../build/plan.js');
    const { readBuild } = await import('../build/read-build.js');
    const { writeBuild } = await import('../build/write-build.js');
    const { differenceReport, writingReport } = await import('./print/build.js');
    const isCheck = options.check === true;
    const plan = isCheck ? planBuild(wanted, readBuild(folder)) : writeBuild(folder, wanted);
    const { data, words } = isCheck ? differenceReport(plan, generation) : writingReport(plan);
    outputOf(process.stdout, process.env).lines(data);
    outputOf(process.stderr, process.env).lines(words);
    if (isCheck && data.length > 0) process.exitCode = 1;
  });
}

async function folderOf(out: string, service: Service): Promise<string> {
  const { buildFolder } = await import('../build/place.js');
  const { BuildPlaceError } = await import('../build/build-error.js');
  try {
    const sources = service.instances.map(({ root, config: { folders, ignore } }) => ({ root, folders, ignore }));
    return buildFolder(out, sources);
  } catch (error) {
    if (error instanceof BuildPlaceError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Tells on stderr what is wrong; false where that keeps the files from being made. */
async function isSound(root: string, generation: Generation, service: Service): Promise<boolean> {
  const { check } = await import('../check/check.js');
  const { locateFindings } = await import('../ingest/locate.js');
  const { sameFileNames } = await import('../build/same-file-names.js');
  const { printFindings } = await import('./print/findings.js');
  const { omissionLine, problemLine } = await import('./print/generation.js');
  const { noticeLine } = await import('./print/plain.js');
  const stderr = outputOf(process.stderr, process.env);
  const { findings, silenced } = check(await service.examine());
  const faults = locateFindings(sameFileNames(generation), root);
  if (faults.length > 0 || findings.some(({ severity }) => severity === 'error')) {
    stderr.lines([
      ...printFindings({ findings: locateFindings(findings, root), silenced }, generation, stderr),
      ...faults.map(problemLine),
      noticeLine('nothing was written; correct the errors first'),
    ]);
    process.exitCode = 1;
    return false;
  }
  stderr.lines(generation.omissions.map(omissionLine));
  return true;
}

async function wantedFiles(generation: Generation, service: Service, scaffold: boolean) {
  const { builtFiles } = await import('../build/built-files.js');
  const { scaffoldFiles } = await import('../build/scaffold.js');
  const { name, base } = rootConfig(service);
  let graph = '';
  for await (const piece of service.export({ format: 'jsonld', all: false })) graph += piece;
  return {
    built: builtFiles(generation, base, graph),
    scaffold: scaffold ? scaffoldFiles(name, { server: dependencyRange('@modelcontextprotocol/server') }) : new Map(),
  };
}

function rootConfig(service: Service) {
  const [root] = service.instances;
  if (root === undefined) throw new Error('a service without an instance');
  return root.config;
}

/** The range that this program depends on itself. */
function dependencyRange(name: string): string {
  const { dependencies } = createRequire(import.meta.url)('toolgraph/package.json') as {
    dependencies: Record<string, string>;
  };
  return dependencies[name] ?? '*';
}
