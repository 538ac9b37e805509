/** The thread in which queries run: it reads `graph.db` itself, and holds the dataset in the engine. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../error-message.js';
import { StoreError } from '../store-error.js';
import { decodeTerm } from '../term-text.js';
import { engineWords } from './engine-words.js';
import { FollowedDataset } from './followed-dataset.js';
import type { BindingTerm } from './graph-query.js';
import { loadOxigraph } from './oxigraph.js';
import { type PreparedQuery, prepareQuery } from './prepare-query.js';
import { isTrap, type QueryDataset } from './query-dataset.js';
import { QueryError } from './query-error.js';
import type {
  QueryFailure,
  QueryReply,
  QueryRequest,
  QueryThreadData,
  SentAnswer,
  SentQuery,
} from './query-messages.js';
import { answerOfResults, answerOfTriples, sizeOf } from './sent-answer.js';
import { faultyTerm, type TermChecks } from './term-faults.js';

/** Characters of the results of one query: they are text once more in the memory of this thread, and values in that of the service. */
const longestResults = 64 * 1024 * 1024;

const { megabytes } = workerData as QueryThreadData;
const engine = loadOxigraph(megabytes);
const followed = engine.then((oxigraph) => new FollowedDataset(oxigraph));
/** One request at a time, in their order. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (request: QueryRequest) => {
  last = last.then(async () => parentPort?.postMessage(await replyTo(request)));
});

async function replyTo(request: QueryRequest): Promise<QueryReply> {
  try {
    const contents = await followed;
    if (request.kind === 'follow')
      return { kind: 'followed', inStep: contents.follow(request.instances, request.served) };
    return { kind: 'answered', answer: run(contents, request.query, await engine) };
  } catch (error) {
    return failureOf(error, request.kind);
  }
}

function run({ dataset }: FollowedDataset, sent: SentQuery, checks: TermChecks): SentAnswer {
  const { sparql, dataset: asked, prefixes, rows } = sent;
  const bindings = new Map(sent.bindings.map(([name, term]) => [name, decodeTerm(term) as BindingTerm]));
  const prepared = prepareQuery({ sparql, bindings, dataset: asked, prefixes, rows });
  const answer = answerOf(dataset, prepared, () => faultyTerm(sparql, prefixes, bindings, checks));
  if (sizeOf(answer) <= rows) return answer;
  const [what, remedy] =
    answer.kind === 'quads' ? ['triples', 'ask for fewer'] : ['rows', 'add LIMIT, or ask for fewer'];
  throw new QueryError('rows', `it has more than ${rows} ${what}; ${remedy}, or raise limits.queryRows`);
}

function answerOf(
  dataset: QueryDataset,
  { form, text, variables, dataset: chosen }: PreparedQuery,
  fault: () => QueryError | undefined,
): SentAnswer {
  try {
    return form === 'construct' || form === 'describe'
      ? answerOfTriples(dataset.triples(text, chosen))
      : answerOfResults(bounded(dataset.results(text, chosen)), variables);
  } catch (error) {
    if (error instanceof QueryError || error instanceof RangeError || isTrap(error)) throw error;
    throw fault() ?? error;
  }
}

function bounded(results: string): string {
  if (results.length <= longestResults) return results;
  throw new QueryError('memory', `its results are more than ${longestResults / 1_048_576} MiB of text; ask for fewer`);
}

function failureOf(error: unknown, during: QueryRequest['kind']): QueryFailure {
  if (error instanceof QueryError) {
    const { code, message, position } = error;
    return { kind: 'failed', code, message, isBroken: false, ...(position === undefined ? {} : { position }) };
  }
  const failed = (code: QueryFailure['code'], message: string, isBroken: boolean): QueryFailure => {
    return { kind: 'failed', code, message, isBroken };
  };
  if (isTrap(error)) {
    const what = during === 'follow' ? 'the graph' : 'the graph with what the query computes';
    const words = `${what} needs more than ${megabytes} MiB, or it is nested too deeply; ask for less, or raise limits.queryMegabytes`;
    return failed('memory', words, true);
  }
  if (error instanceof RangeError && during === 'run')
    return failed('failed', 'it is nested too deeply; write it flatter', true);
  // What is half loaded is loaded anew by another thread.
  if (during === 'follow') {
    const words = error instanceof StoreError ? error.message : `the graph cannot be loaded: ${errorMessage(error)}`;
    return failed('unavailable', words, true);
  }
  return failed('failed', engineWords(errorMessage(error)), false);
}
