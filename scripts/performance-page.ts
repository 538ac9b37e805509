import { cells, limit, measured, number, verdict } from './bench/report.js';
import type { BenchResult, BenchRow } from './bench/result.js';
import { targets } from './bench/targets.js';
import { page, table } from './reference-pages.js';

const sections: readonly (readonly [BenchRow['section'], string, string])[] = [
  [
    'ingest',
    'First ingest and restart',
    'From `createService` to the first generation, in a process of its own, imports done before the clock starts and told apart. A first ' +
      'ingest has no state folder; a restart has the one that the run before left behind. The peer is a process that reads, parses and ' +
      'expands the same files with jsonld alone: no checks, no store, no tools. The file cache is warm for all.',
  ],
  [
    'notification',
    'A live edit',
    'A client of a real `toolgraph serve` on stdio renames a file over a node and waits for `notifications/tools/list_changed`. The floor is ' +
      'a process that watches a like folder of as many files with chokidar, and for each event reads and parses the file and writes the ' +
      'same line. The edits of both, at all sizes, take turns, and each comes after quiet. The server keeps its history, as it always does: ' +
      'an edit is told when the new version of the document, the revision of the node and the parts of the generation are written, and a ' +
      'run fails when the history lacks the last edit.',
  ],
  [
    'list',
    '`tools/list`',
    'From the request to the last byte of the answer at the client. The floor is a process that only stringifies the same result and ' +
      'writes it to the same kind of pipe.',
  ],
  [
    'call',
    '`tools/call`',
    'From the request to the answer at the client, the record of the call included. The peer of a command is a bare spawn of it, with three ' +
      'pipes, until they are closed, by the same process that serves, and timed there: Linux copies the page tables of a process that ' +
      'starts another one, so the size of a process is most of what its children cost. The last row says how much. The commands of calls are ' +
      'started by a small process beside the server, whose memory is not in the last table: 12 MB of its own. The peer of a function is a `ping`, which the SDK of the same server answers on the same pipes.',
  ],
  [
    'lookup',
    'Lookups in the graph',
    'Quads by pattern, as an array, from a graph of many documents, each a named graph: by the store of toolgraph, which reads them from a ' +
      'file in SQLite, and by stores that hold the same quads in memory. `nodes` is how many documents there are. N3.Store walks all named ' +
      'graphs where none is given, so it is measured once more with all quads in one graph, where it has forgotten the documents. All are ' +
      'asked the same patterns by turns, four in each round about nodes all over the graph, and have to find as many quads.',
  ],
  [
    'query',
    'SPARQL',
    'From the question to the answer as values, through the query thread of a service, with its parser and its check that it is in step ' +
      'with the documents and the history. The peer is oxigraph alone in a process, which has loaded an export of the same quads, ' +
      'provenance included, and is given the text that the service gives to its engine. The first query of a service starts the thread and ' +
      'loads the graph; that of the peer imports the engine and loads the export.',
  ],
  [
    'http',
    'Over HTTP',
    'From the request to the last byte of the answer, on one kept connection of a real `toolgraph serve --http`, in each era. The floor of a list is a ' +
      'bare `node:http` server that stringifies the same object for each request and sends it. The call is one of a function that does nothing, ' +
      'its record included.',
  ],
  [
    'prover',
    'The argv prover',
    'Deciding what the pattern of a built-in type lets into argv, once for each pattern in a fresh process. toolgraph does this for a ' +
      'pattern that it has not met, in a thread of its own, and keeps the verdict; those of the built-in types are proved by a test.',
  ],
  [
    'memory',
    'Memory',
    'Resident set of the processes of the first table, at the first generation, and of those of the queries after the first one, without ' +
      'forcing a garbage collection.',
  ],
];

/** docs/performance.md: what docs/performance.json holds, in words and tables. Pure. */
export function renderPerformance(result: BenchResult): string {
  const body = [
    ...(result.quick ? ['**These are the numbers of a quick trial of the scripts, not of a measurement.**'] : []),
    intro,
    `## Targets\n\n${targetTable(result.rows)}`,
    `## Measured on\n\n${circumstances(result)}`,
    ...sections.flatMap(([section, title, words]) => sectionOf(section, title, words, result.rows)),
  ].join('\n\n');
  return page('Performance', 'docs/performance.json', body);
}

const intro =
  'Each number is the median of the runs, and each ratio is the median divided by that of a peer or floor that was measured in the ' +
  'same rounds, in turns and in a rotated order. Times are those of one machine on one day; the ratios are what to compare. ' +
  '`npm run bench` measures anew, or only parts of it (`-- --only query`); `npm run bench -- --out docs/performance.json && npm run generate` makes this page.';

function targetTable(rows: readonly BenchRow[]): string {
  return table(
    ['target', 'limit', 'measured', ''],
    targets(rows).map((goal) => [goal.what, limit(goal), measured(goal), verdict(goal)]),
  );
}

function circumstances({ date, commit, durationSeconds, settings, machine, versions }: BenchResult): string {
  const sizes = settings.sizes.map(number).join(', ');
  const graph = settings.quads === undefined ? '' : `, a graph of ${settings.quads.toLocaleString('en-US')} quads`;
  const [before, after] = machine.load;
  return [
    `- ${date.slice(0, 10)}, commit \`${commit}\`, in ${number(durationSeconds)} s`,
    `- Node ${machine.node}, ${machine.os}, ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB; load ${before} before, ${after} after`,
    `- ${settings.rounds} runs, ${settings.editsPerRun} edits a run; generated instances of ${sizes} Tool nodes${graph}, seed ${settings.seed}`,
    `- ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
  ].join('\n');
}

function sectionOf(
  section: BenchRow['section'],
  title: string,
  words: string,
  rows: readonly BenchRow[],
): readonly string[] {
  const own = rows.filter((row) => row.section === section);
  if (own.length === 0) return [];
  const head = ['what', 'nodes', 'median', 'against', 'its median', 'ratio'];
  return [`## ${title}\n\n${words}\n\n${table(head, own.map(cells))}`];
}
