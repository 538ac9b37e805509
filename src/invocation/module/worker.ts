import { workerData } from 'node:worker_threads';
import { faultOf, stackOf } from './fault.js';
import { ModuleLoader, type ModuleNamespace } from './load.js';
import type { QueryAnswer, ThreadReply, ThreadRequest, ThreadStart } from './messages.js';
import { returnedData } from './result-data.js';
import { keepStandardStreams } from './standard-streams.js';
import { exportedFunction, ToolFunction } from './tool-function.js';

/** The thread of one module: loads it once, and runs its functions. All that it says goes by the port. */

const { port, file, root } = workerData as ThreadStart;
const loader = new ModuleLoader(file, root);
const functions = new Map<unknown, ToolFunction>();
const controllers = new Map<number, AbortController>();
/** By the number of a query: who waits for its answer. */
const questions = new Map<number, { readonly call: number; readonly settle: (answer: QueryAnswer) => void }>();
let lastQuestion = 0;
/** Of a result that is cut, this much is passed on at once. */
const pieceBytes = 1024 * 1024;
/** How many files the service knows of; -1 before it knows that the module is loaded. */
let told = -1;

keepStandardStreams();
const loading = loader.load().catch((error: unknown) => {
  loader.noteMissing(error);
  return new LoadFailure(error);
});

class LoadFailure {
  constructor(readonly error: unknown) {}
}

port.on('message', (request: ThreadRequest) => void take(request));
void loading.then(tellFiles);

async function take(request: ThreadRequest): Promise<void> {
  if (request.kind === 'cancel') {
    controllers.get(request.id)?.abort();
    tell({ kind: 'alive', id: request.id });
    return;
  }
  if (request.kind === 'answer') {
    settle(request.question, request.answer);
    return;
  }
  const { id, exports } = request;
  const controller = new AbortController();
  controllers.set(id, controller);
  const loaded = await loading;
  const found = loaded instanceof LoadFailure ? loaded : functionOf(loaded, exports);
  tellFiles();
  if (!(found instanceof ToolFunction)) {
    const fault = faultOf(found.error, root);
    if (request.kind === 'check') tell({ kind: 'checked', id, fault });
    else tell({ kind: 'threw', id, fault, loading: true });
  } else if (request.kind === 'check') tell({ kind: 'checked', id });
  else await call(found, request, controller.signal);
  controllers.delete(id);
  for (const [question, { call }] of questions) if (call === id) settle(question, { fault: { message: callIsOver } });
}

const callIsOver = 'the call is over, so nothing is answered any more';

function settle(question: number, answer: QueryAnswer): void {
  questions.get(question)?.settle(answer);
  questions.delete(question);
}

function functionOf(namespace: ModuleNamespace, exports: readonly string[]): ToolFunction | LoadFailure {
  const found = exportedFunction(namespace, exports);
  if (typeof found === 'string') return new LoadFailure(new Error(found));
  const known = functions.get(found) ?? new ToolFunction(found);
  functions.set(found, known);
  return known;
}

async function call(
  run: ToolFunction,
  request: Extract<ThreadRequest, { kind: 'call' }>,
  signal: AbortSignal,
): Promise<void> {
  const { id, inputs, declared, names, outputBytes, keptBytes } = request;
  const progress = (value: unknown, total?: unknown, message?: unknown): void => {
    if (typeof value !== 'number' || !controllers.has(id)) return;
    tell({
      ...{ kind: 'progress', id, progress: value },
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message: message.slice(0, 1000) } : {}),
    });
  };
  const query = async (sparql: unknown, values?: Readonly<Record<string, unknown>>): Promise<unknown> => {
    signal.throwIfAborted();
    if (!controllers.has(id)) throw new Error(callIsOver);
    const question = ++lastQuestion;
    const answered = new Promise<QueryAnswer>((settle) => questions.set(question, { call: id, settle }));
    tell({ kind: 'asks', id, question, sparql, ...(values === undefined ? {} : { values }) });
    const answer = await answered;
    if ('value' in answer) return answer.value;
    const { message, ...code } = answer.fault;
    throw Object.assign(new Error(message), { name: 'QueryError', ...code });
  };
  try {
    const value = await run.call({ inputs, declared, names, context: { signal, progress, query, instanceRoot: root } });
    const data = returnedData(value, outputBytes, { write: (bytes) => tellOverflow(id, bytes, keptBytes) });
    tellFiles();
    tell({ kind: 'returned', id, ...data });
  } catch (error) {
    tellFiles();
    const stack = stackOf(error);
    tell({
      ...{ kind: 'threw', id, fault: faultOf(error, root), loading: false },
      ...(stack === undefined ? {} : { stack }),
    });
  }
}

/** One byte more than is kept tells that there is more. Memory of a piece is handed over, not copied. */
function tellOverflow(id: number, bytes: Uint8Array, keptBytes: number): void {
  const end = keptBytes === 0 ? 0 : Math.min(bytes.length, keptBytes + 1);
  for (let from = 0; from < end; from += pieceBytes) {
    const piece = new Uint8Array(bytes.subarray(from, Math.min(from + pieceBytes, end)));
    port.postMessage({ kind: 'overflow', id, bytes: piece } satisfies ThreadReply, [piece.buffer]);
  }
}

/** A module can import more while it runs. */
function tellFiles(): void {
  const files = loader.files();
  if (files.length === told) return;
  told = files.length;
  tell({ kind: 'files', files });
}

function tell(reply: ThreadReply): void {
  port.postMessage(reply);
}
