import type { ModuleNamespace } from './load.js';
import type { RegisteredTools } from './registered-tools.js';

/** Given to a function beside its inputs. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** Tells how far the call is; `message` is for the person who waits. */
  readonly progress: (progress: number, total?: number, message?: string) => void;
  /**
   * Asks the graph of the service in SPARQL 1.1; `values` are put in for variables as terms: a string, a number, a boolean, `{ iri }`. Gives
   * `{ variables, bindings }`, `{ boolean }` or `{ triples }`, with terms as in SPARQL 1.1 Query Results JSON. Rejects with what is wrong.
   */
  readonly query: (sparql: unknown, values?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Absolute path of the instance. */
  readonly instanceRoot: string;
}

/** One call, as the function takes it. */
export interface FunctionCall {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of all inputs that the Tool has. */
  readonly declared: readonly string[];
  /** By which the tool may be registered on an MCP server. */
  readonly names: readonly string[];
  readonly context: ToolContext;
}

/** The methods by which a module registers tools on an `McpServer` of SDK 1.x. */
const registerMethods = ['tool', 'registerTool'] as const;

/**
 * An exported function: a plain one, `(inputs, {signal, progress, query, instanceRoot})`, or one that registers tools, `(server)`. Which it is shows when
 * it is called: one that reads `tool` or `registerTool` of its first argument, where no input has that name, takes it for a server. It is then
 * called again with one, and only so from then on. Names, numbers of parameters and source texts tell less, and a function is never
 * called to try it out.
 */
export class ToolFunction {
  readonly #run: (...args: unknown[]) => unknown;
  #isPlain = false;
  #registered: Promise<RegisteredTools> | undefined;

  constructor(call: (...args: unknown[]) => unknown) {
    // No object of ours is its `this`.
    this.#run = (...args) => Reflect.apply(call, undefined, args);
  }

  /** What the function returns, or the tool that it registers. Rejects with what it throws. */
  async call(call: FunctionCall): Promise<unknown> {
    if (this.#registered !== undefined) return (await this.#registered).call(call);
    const { inputs, declared, context } = call;
    if (this.#isPlain) return this.#run({ ...inputs }, context);
    const seen = { asServer: false };
    try {
      const result = await this.#run(inputsThatTell(inputs, declared, seen), context);
      if (!seen.asServer) this.#isPlain = true;
      if (!seen.asServer) return result;
    } catch (error) {
      if (!seen.asServer) throw error;
    }
    this.#registered ??= this.#register(context.instanceRoot);
    this.#registered.catch(() => {
      this.#registered = undefined;
    });
    return (await this.#registered).call(call);
  }

  /** Loads the SDK now: most modules do without. */
  async #register(instanceRoot: string): Promise<RegisteredTools> {
    const { RegisteredTools } = await import('./registered-tools.js');
    return RegisteredTools.of((server) => this.#run(server, { instanceRoot }));
  }
}

/**
 * The function to run: the first of these exports that is one. A message when there is none; `default` of a CommonJS module that was
 * translated from ES counts too.
 */
export function exportedFunction(
  namespace: ModuleNamespace,
  names: readonly string[],
): ((...args: unknown[]) => unknown) | string {
  for (const name of names) {
    const value = exportOf(namespace, name);
    if (typeof value === 'function') return value as (...args: unknown[]) => unknown;
  }
  const wanted = names.map((name) => JSON.stringify(name)).join(' or ');
  const there = Object.keys(namespace).filter((name) => typeof exportOf(namespace, name) === 'function');
  const found = there.length === 0 ? 'it exports no function' : `its functions are ${there.slice(0, 20).join(', ')}`;
  return `it exports no function ${wanted}; ${found}`;
}

function exportOf(namespace: ModuleNamespace, name: string): unknown {
  const value = Object.hasOwn(namespace, name) ? namespace[name] : undefined;
  const { default: main } = namespace;
  if (value !== undefined && typeof value !== 'object') return value;
  if (typeof main !== 'object' || main === null || !Object.hasOwn(main, name)) return value;
  return (main as ModuleNamespace)[name];
}

/** A copy of the inputs that tells when it is taken for a server. Only its prototype is other than that of any object. */
function inputsThatTell(
  inputs: FunctionCall['inputs'],
  declared: readonly string[],
  seen: { asServer: boolean },
): object {
  const prototype = Object.create(Object.prototype, { constructor: { value: Object } }) as object;
  for (const method of registerMethods.filter((name) => !declared.includes(name))) {
    Object.defineProperty(prototype, method, {
      get() {
        seen.asServer = true;
        throw new TypeError(`this is not an MCP server yet; the function is called with one next`);
      },
    });
  }
  return Object.assign(Object.create(prototype) as object, inputs);
}
