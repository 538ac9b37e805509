import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Generation } from '../../projection/generation.js';
import { generationMeta } from '../generation-meta.js';
import { listTools, type ToolList } from '../pure.js';
import { toolListDigest } from '../resources/get-state-tool.js';

/**
 * Answers to `tools/list` without writing the list anew for each. The first answer of a list is the SDK's as it is, and the list in it is kept as text.
 * Into later ones the SDK writes an empty list, whose place the text takes: byte for byte what it would have written.
 */
export class ListAnswers {
  /** By protocol revision, the list that was asked for last: the SDK writes it otherwise for an older revision. */
  readonly #written = new Map<string, WrittenList>();
  /** Requests that are being answered here, each with what its answer needs once the list of tools is known. */
  readonly #parts = new Map<Request, Part | undefined>();

  /** The answer that `serve` makes of a request for the list, made whole. `list` must be the handler of `tools/list` in it. */
  async answer(request: Request, serve: () => Promise<Response>): Promise<Response> {
    this.#parts.set(request, undefined);
    try {
      const response = await serve();
      if (response.body === null) return response;
      // An event stream is given before the handler has run: what it needs is known when it has ended.
      const text = await response.text();
      return like(response, this.#completed(text, this.#parts.get(request)));
    } finally {
      const part = this.#parts.get(request);
      this.#parts.delete(request);
      if (part?.kind === 'take') this.#settle(part.list);
    }
  }

  async list(generation: Generation, server: Server, { http }: ServerContext): Promise<ToolList> {
    const revision = server.getNegotiatedProtocolVersion();
    const request = http?.req;
    if (revision === undefined || request === undefined || !this.#parts.has(request)) return listTools(generation);
    const digest = toolListDigest(generation);
    for (;;) {
      const list = this.#written.get(revision);
      if (list?.digest !== digest) {
        const made = new WrittenList(revision, digest);
        this.#written.set(revision, made);
        this.#parts.set(request, { kind: 'take', list: made });
        return listTools(generation);
      }
      if (list.text !== undefined) {
        this.#parts.set(request, { kind: 'put', text: list.text });
        return { tools: [], _meta: generationMeta(generation) };
      }
      await list.settled;
    }
  }

  #completed(text: string, part: Part | undefined): string | Buffer {
    if (part?.kind === 'put') return withList(text, part.text);
    const written = part && writtenTools(text);
    if (part !== undefined && written !== undefined) part.list.text = Buffer.from(written);
    return text;
  }

  /** One that could not be had is forgotten, so that the next request tries again. */
  #settle(list: WrittenList): void {
    if (list.text === undefined && this.#written.get(list.revision) === list) this.#written.delete(list.revision);
    list.settle();
  }
}

type Part = { readonly kind: 'put'; readonly text: Buffer } | { readonly kind: 'take'; readonly list: WrittenList };

/** The list of one digest as one revision writes it, from the time that the first answer with it is asked for. */
class WrittenList {
  readonly revision: string;
  readonly digest: string;
  /** The JSON array in UTF-8, as soon as it has been written once. */
  text: Buffer | undefined;
  readonly settled: Promise<void>;
  settle: () => void = () => {};

  constructor(revision: string, digest: string) {
    this.revision = revision;
    this.digest = digest;
    this.settled = new Promise((resolve) => {
      this.settle = resolve;
    });
  }
}

const listKey = '"tools":';
/** Cannot stand in a string of an answer, where each quotation mark has a backslash before it, and no other member of one is named so. */
const emptyList = `${listKey}[]`;

function withList(text: string, list: Buffer): string | Buffer {
  const at = text.indexOf(emptyList);
  if (at === -1) return text;
  const before = Buffer.from(text.slice(0, at + listKey.length));
  return Buffer.concat([before, list, Buffer.from(text.slice(at + emptyList.length))]);
}

/** The list in the text of an answer: JSON, or one event whose data is that. Undefined where it is not found exactly. */
function writtenTools(text: string): string | undefined {
  try {
    const { result } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const written = JSON.stringify(result.tools);
    return text.startsWith(listKey + written, text.indexOf(listKey)) ? written : undefined;
  } catch {
    return undefined;
  }
}

function like({ status, headers }: Response, body: string | Buffer): Response {
  return new Response(body, { status, headers });
}
