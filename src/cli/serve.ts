import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { Command } from 'commander';
import type { ServedTier } from '../../schemas/tool.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { directoryArgument, tiersOption } from './arguments.js';
import { type Connection, openPipe, openPort } from './connection.js';
import { parseHttpAddress, type StatedAddress } from './http-address.js';
import { noticeLine } from './print/plain.js';
import type { Reporter } from './serve-report.js';
import { outputOf } from './terminal.js';

interface ServeOptions {
  readonly tiers?: ServedTier[];
  readonly keepGoing?: true;
  readonly getStateTool?: true;
  /** True: where the config says. */
  readonly http?: StatedAddress | true;
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .summary('serve to an MCP client on stdin and stdout, or to many over HTTP')
    .description(
      'Serves the instance to an MCP client on stdin and stdout, or with --http to any number over HTTP, and follows it while it ' +
        'changes. Started by hand in a terminal, it shows what a client would see.',
    )
    .addArgument(directoryArgument())
    .addOption(tiersOption())
    .option(
      '--http [[HOST:]PORT]',
      'serve over HTTP at this address (default host: 127.0.0.1; without a value: what the config says; port 0: any that is free)',
      parseHttpAddress,
    )
    .option('--keep-going', 'start although there are problems')
    .option('--get-state-tool', 'add a tool that reads the views, for hosts without resources')
    .action(serve);
}

/** How long a start goes on that no client waits for any more. */
const orphanedMs = 3_000;
/** How long requests in flight may take when the server ends, in ms: less than the 10 s that a container is given. */
const graceMs = 8_000;

async function serve(root: string, options: ServeOptions): Promise<void> {
  const [
    { createService },
    { createProgress },
    { holdBack },
    { createReporter, refusalLines },
    { permitOwnCgroup },
    { permitSpawner },
  ] = await Promise.all([
    import('../service.js'),
    import('./progress.js'),
    import('./start-gate.js'),
    import('./serve-report.js'),
    import('../invocation/left-behind.js'),
    import('../invocation/spawner/ready-spawner.js'),
  ]);
  permitOwnCgroup();
  permitSpawner();
  const stderr = outputOf(process.stderr, process.env);
  const progress = createProgress(stderr);
  let notice = (words: string): void => stderr.lines([noticeLine(words)]);
  const { strayFolderWords } = await import('./stray-folder.js');
  const stray = strayFolderWords(root);
  if (stray !== undefined) notice(stray);
  const signalled = whenSignalled(() => {
    notice('told to look again (SIGHUP): the config, every document and the host');
    void service.lookAgain();
  });
  const service = createService({
    root,
    overrides: options,
    onIngestProgress: progress.update,
    onNotice: (words) => notice(words),
  });
  const gate = holdBack(service);
  let connection: Connection | undefined;
  let isOpen = false;
  try {
    // A terminal is no client: stdout stays silent there.
    const byHand = process.stdin.isTTY === true;
    const report = (words: string): void => notice(words);
    if (options.http !== undefined) connection = await openPort(root, gate.service, options.http, report);
    else if (!byHand) connection = await openPipe(gate.service, report);
    const ended = Promise.race([signalled, connection?.closed ?? whenStdinEnds()]);
    // When the client has gone by now, what is wrong is still said, and the exit code tells of it, if it is known soon.
    const givenUp = ended.then(() => delay(orphanedMs, undefined, { ref: false }));
    const first = await Promise.race([service.ready, signalled, givenUp]);
    progress.end();
    if (first === undefined) return;
    const { instance } = service.status();
    // DESIGN decision 3: any problem at start ends the start, with all of them listed, unless told to keep going.
    if (first.problems.length > 0 && !service.keepGoing) {
      stderr.lines(refusalLines(first, instance));
      process.exitCode = 1;
      return;
    }
    // Nothing is waited for between the opening and the following: a generation in between would be told of by nobody.
    const { listTooLarge } = await import('../mcp/list-size.js');
    gate.open();
    isOpen = true;
    const reporter = createReporter(stderr, { root, byHand, instance, overHttp: options.http !== undefined });
    notice = reporter.notice;
    follow(service, reporter, listTooLarge);
    await ended;
  } finally {
    progress.end();
    await connection?.close(isOpen ? graceMs : 0);
    await service.close();
    // A parent that keeps the pipe open would keep this process alive after a signal.
    process.stdin.destroy();
  }
}

/** `faultOfList` says what is wrong with the list of tools as a whole; it is asked anew when that has changed. */
function follow(
  service: Service,
  reporter: Reporter,
  faultOfList: (generation: Generation) => string | undefined,
): void {
  const tellOfList = (generation: Generation): void => {
    const words = faultOfList(generation);
    if (words !== undefined) reporter.notice(words);
  };
  if (service.current !== undefined) {
    reporter.start(service.current);
    tellOfList(service.current);
  }
  // The clients are told first.
  service.subscribe(({ generation, previous }) =>
    setImmediate(() => {
      reporter.change(generation);
      if (generation.listDigest !== previous?.listDigest) tellOfList(generation);
    }),
  );
}

/**
 * SIGTERM is how a host ends a server, so it is no failure; Ctrl-C is 130 as in a shell. A second signal ends at once. SIGHUP means
 * "look again", as it does to other servers, unless it tells of the end of the terminal that the server was started at.
 */
function whenSignalled(onLookAgain: () => void): Promise<undefined> {
  const { isTTY: atTerminal = false } = process.stdin;
  return new Promise((resolve) => {
    const end = (exitCode?: number): void => {
      process.exitCode = exitCode;
      process.off('SIGINT', interrupt).off('SIGTERM', terminate);
      resolve(undefined);
    };
    const interrupt = (): void => end(130);
    const terminate = (): void => end();
    process.on('SIGINT', interrupt).on('SIGTERM', terminate);
    process.on('SIGHUP', () => {
      if (atTerminal && !isatty(process.stdin.fd)) resolve(undefined);
      else onLookAgain();
    });
  });
}

/** Ctrl-D at a terminal ends as Ctrl-C does; what is typed is thrown away. */
function whenStdinEnds(): Promise<undefined> {
  return new Promise((resolve) => {
    process.stdin.once('end', () => resolve(undefined)).once('error', () => resolve(undefined));
    process.stdin.resume();
  });
}
