import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** `$id` of the type document that every instance of the tests has. */
const typesIri = 'https://example.org/types';

/** IRI of a type of `graph/types.json`. */
export function typeIri(name: string): string {
  return `${typesIri}#/$defs/${name}`;
}

/** A Tool node that is listed everywhere: `echo <id>`, and whatever `fields` says. */
export function toolNode(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@type': 'Tool',
    id,
    title: `Title of ${id}`,
    description: `Does ${id}`,
    invoke: { shell: `echo ${id}` },
    io: { inputs: [], outputs: [] },
    satisfies: ['testing'],
    ...fields,
  };
}

/** A folder of its own under the system's temporary folder, with a `graph/` in it. */
export class Instance {
  readonly root: string;

  private constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-e2e-')));
  }

  /** Makes an instance with `graph/types.json` and one file a node, in the order given. */
  static async make(nodes: readonly Record<string, unknown>[] = []): Promise<Instance> {
    const instance = new Instance();
    await instance.writeTypes();
    for (const node of nodes) await instance.write(nodePath(String(node.id)), node);
    return instance;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  /** Writes a file in place, as an editor does that truncates; a value that is neither string nor bytes is written as JSON. */
  async write(relative: string, content: unknown): Promise<void> {
    await mkdir(dirname(this.path(relative)), { recursive: true });
    await writeFile(this.path(relative), textOf(content));
  }

  /** Writes a temporary file beside it and renames it over the old one, as an editor does that saves atomically. */
  async replace(relative: string, content: unknown): Promise<void> {
    const temporary = this.path(`${dirname(relative)}/.save-${++saves}.tmp`);
    await writeFile(temporary, textOf(content));
    await rename(temporary, this.path(relative));
  }

  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }

  async remove(relative: string): Promise<void> {
    await rm(this.path(relative), { recursive: true, force: true });
  }

  /** Writes an executable script. */
  async script(relative: string, lines: readonly string[]): Promise<void> {
    await this.write(relative, `#!/bin/sh\n${lines.join('\n')}\n`);
    await chmod(this.path(relative), 0o755);
  }

  async config(value: Record<string, unknown>): Promise<void> {
    await this.write('toolgraph.config.json', value);
  }

  /** The types of the instance: `Word`, and what `more` adds or replaces. */
  async writeTypes(more: Record<string, unknown> = {}): Promise<void> {
    const $defs = { Word: { type: 'string', pattern: '^[a-z]{1,20}$', description: 'A word' }, ...more };
    await this.write('graph/types.json', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: typesIri,
      $defs,
    });
  }

  async dispose(): Promise<void> {
    // A server that a client of others' making has left may still be writing its state.
    await rm(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Where `Instance.make` writes a node. */
export function nodePath(id: string): string {
  return `graph/tools/${id}.json`;
}

let saves = 0;

function textOf(content: unknown): string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array
    ? content
    : `${JSON.stringify(content, undefined, 2)}\n`;
}
