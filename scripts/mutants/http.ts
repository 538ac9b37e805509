import type { Mutant } from '../mutants-table.js';

/** Faults of serving over HTTP: sessions, streams, lists and the end. */
export const httpMutants: readonly Mutant[] = [
  {
    id: 'P2 http-2025',
    file: 'src/mcp/http/session.ts',
    find: 'this.#notifier.reachable();',
    replace: '',
    test: 'test/mcp/http/session.test.ts',
    name: 'tells, when it opens, of a change that came before',
  },
  {
    id: 'P2.2 http-2025',
    file: 'src/mcp/change-notifier.ts',
    find: 'if (!this.#isReachable) return false;',
    replace: '',
    test: 'test/mcp/change-notifier.test.ts',
    name: 'never leaves a client',
  },
  {
    id: 'P2.3 http-2025',
    file: 'src/mcp/watched-resources.ts',
    find: 'if (isOther && this.#isPaused) {',
    replace: 'if (isOther && this.#closing.signal.aborted) {',
    test: 'test/mcp/watched-resources.test.ts',
    name: 'is told of when the client goes away while it is read',
  },
  {
    id: 'P2 http-2026',
    file: 'src/mcp/http/listeners.ts',
    find: 'notifier.close();',
    replace: '',
    test: 'test/mcp/http/endpoint.test.ts',
    name: 'ends the listen of 2026-07-28 with its result',
  },
  {
    id: 'P1.2 http',
    file: 'src/mcp/http/list-answers.ts',
    find: 'if (list?.digest !== digest) {',
    replace: 'if (list === undefined) {',
    test: 'test/mcp/http/list-answers.test.ts',
    name: 'is that of its own generation',
  },
  {
    id: 'D9 sessions at once',
    file: 'src/mcp/http/sessions.ts',
    find: 'this.#byId.size + this.#making >=',
    replace: 'this.#byId.size >=',
    test: 'test/mcp/http/endpoint.test.ts',
    name: 'hold for sessions that are opened at once',
  },
  {
    id: 'D9 batches',
    file: 'src/mcp/http/sessions.ts',
    find: '!Array.isArray(body) || session.hasBatches',
    replace: 'session.hasBatches || true',
    test: 'test/mcp/http/endpoint.test.ts',
    name: 'is refused in a session of',
  },
  {
    id: 'D9 second signal',
    file: 'src/cli/serve.ts',
    find: "process.off('SIGINT', interrupt).off('SIGTERM', terminate);",
    replace: '',
    test: 'test/e2e/http-stop.test.ts',
    name: 'is at once with a second signal',
  },
];
