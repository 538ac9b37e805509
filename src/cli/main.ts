#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { errorMessage } from '../error-message.js';
import { packageVersion } from '../version.js';
import { UsageError } from './arguments.js';
import { addBuild } from './build.js';
import { addCall } from './call.js';
import { addCheck } from './check.js';
import { addContract } from './contract.js';
import { addDiff } from './diff.js';
import { addExport } from './export.js';
import { addHistory } from './history.js';
import { addInit } from './init.js';
import { addLog } from './log.js';
import { noticeLine } from './print/plain.js';
import { addQuery } from './query.js';
import { addReset } from './reset.js';
import { addServe } from './serve.js';
import { surviveBrokenOutput } from './terminal.js';
import { addToken } from './token.js';
import { addTools } from './tools.js';
import { addWhy } from './why.js';

/** Exit codes: 0 fine, 1 the answer is no, 2 wrong usage (tool-node.md §5). */
async function main(argv: readonly string[]): Promise<void> {
  surviveBrokenOutput();
  try {
    await buildProgram().parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said why; help and version were asked for and end with 0.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`${noticeLine(errorMessage(error))}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

const helpEnd = `
Exit codes:
  0  fine
  1  the answer is no: problems, a refused or failed call, an unknown tool
  2  wrong usage

Example:
  $ toolgraph check path/to/instance && toolgraph serve path/to/instance`;

function buildProgram(): Command {
  const program = new Command('toolgraph')
    .description('Serves a folder of Tool nodes as a live MCP server')
    .version(packageVersion())
    .addHelpText('after', helpEnd)
    .showHelpAfterError('(toolgraph --help tells more)')
    .exitOverride();
  for (const add of [
    addServe,
    addCheck,
    addContract,
    addTools,
    addWhy,
    addCall,
    addQuery,
    addLog,
    addHistory,
    addDiff,
    addExport,
    addBuild,
    addInit,
    addToken,
    addReset,
  ])
    add(program);
  return program;
}

await main(process.argv);
