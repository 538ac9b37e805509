/**
 * Holds the graph in the folder argv[3] as the party argv[2] does (argv[4] documents of the corpus, seed argv[5]). Prints `ready`; then, for each
 * request of stdin, a line with how long a lookup took. Ends with its stdin.
 */
import { createInterface } from 'node:readline';
import { corpus } from '../corpus.js';
import { openLookupGraph } from '../lookup-graph.js';
import { type LookupParty, lookupOf } from '../lookup-parties.js';
import { lookupPatterns, type Pattern } from '../lookup-patterns.js';
import type { LookupAnswer, LookupRequest } from '../lookups.js';

/** Patterns of a round, about nodes from all over the graph. */
const patternsPerRound = 4;
/** The patterns of a round are asked again until so many ms have passed: most lookups take less than a clock can tell. */
const measuredMs = 20;

const [party, folder = '', documents, seed] = process.argv.slice(2);
const files = corpus(Number(documents), Number(seed));
const store = openLookupGraph(folder);
const lookup = await lookupOf(
  party as LookupParty,
  store,
  files.map(({ path }) => path),
);

createInterface({ input: process.stdin })
  .on('line', (line) => console.log(JSON.stringify(answerTo(JSON.parse(line) as LookupRequest))))
  .once('close', () => store.close());
console.log('ready');

function answerTo({ kind, round }: LookupRequest): LookupAnswer {
  const stride = Math.max(1, Math.floor(files.length / patternsPerRound));
  const patterns = Array.from({ length: patternsPerRound }, (_, i): Pattern[] => {
    const file = files[(round + i * stride) % files.length];
    return file === undefined ? [] : [lookupPatterns(file)[kind]];
  }).flat();
  let [found, passes, passed] = [0, 0, 0];
  const begun = performance.now();
  while (passed < measuredMs) {
    found = 0;
    for (const pattern of patterns) found += lookup(pattern);
    passes += 1;
    passed = performance.now() - begun;
  }
  return { ms: passed / passes / patterns.length, found };
}
