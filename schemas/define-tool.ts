import type { z } from 'zod';
import type { Json } from './declaration.js';
import { placedMessage, type WordedIssue, wordIssues } from './issue-words.js';
import { type Tool, ToolDocumentSchema } from './tool.js';
import { ToolSchema } from './tool-rules.js';
import { type builtinTypes, builtinTypesId } from './types.js';
import { unfitForJson } from './unfit-for-json.js';

type Document = z.input<typeof ToolDocumentSchema>;
type Primitive = string | number | boolean | null | undefined;

/** What may be written for `T`, with no key of another member of a union beside those of one, and nothing that JSON has no form for. */
type Authored<T, All = T> = unknown extends T
  ? Json
  : T extends Primitive
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Authored<Item>[]
      : [Exclude<KeyOf<All>, keyof T>] extends [never]
        ? { readonly [Key in keyof T]: Authored<T[Key]> }
        : { readonly [Key in keyof T]: Authored<T[Key]> } & { readonly [Key in Exclude<KeyOf<All>, keyof T>]?: never };
type KeyOf<T> = T extends Primitive | readonly unknown[] ? never : keyof T;

/** `T` with one of `Key`, or several. */
type WithOneOf<T, Key extends keyof T> = { [One in Key]: T & { readonly [K in One]-?: NonNullable<T[K]> } }[Key];

/**
 * A Tool as a TypeScript author writes it: the fields of a node in the one spelling, made from the Zod. What identifies the node in a
 * document (`@context`, `@type`, `@id`) is left to the document.
 */
export type ToolDefinition = Omit<
  Authored<Document>,
  '$schema' | '@context' | '@type' | '@id' | 'summary' | 'type' | 'description' | 'invoke'
> & {
  readonly description: string;
  readonly invoke: WithOneOf<Authored<Document['invoke']>, 'shell' | 'container' | 'inProcess' | 'manual'>;
};

/** A Tool that `defineTool` refuses. The message has one line for each field that is wrong, after one that names the Tool. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
  readonly issues: readonly WordedIssue[];

  constructor(id: unknown, issues: readonly WordedIssue[]) {
    const named = typeof id === 'string' ? `the Tool "${id}"` : 'a Tool without an id';
    super([`${named} cannot be defined:`, ...issues.map((issue) => `  ${placedMessage(issue)}`)].join('\n'));
    this.issues = issues;
  }
}

/**
 * Checks a Tool at the place where it is written. What it gives is a node: `JSON.stringify` of it is a file that toolgraph reads.
 *
 * @throws ToolDefinitionError that names every field that is wrong, and what is expected there.
 */
export function defineTool(definition: ToolDefinition): Tool {
  const id = typeof definition === 'object' && definition !== null ? definition.id : undefined;
  const unfit = definition === undefined ? undefined : unfitForJson(definition);
  if (unfit !== undefined) throw new ToolDefinitionError(id, [unfit]);
  const { success, data, error } = ToolSchema.safeParse(definition);
  if (success) return data;
  throw new ToolDefinitionError(id, wordIssues(error, ToolDocumentSchema, definition));
}

/** IRI of a built-in type, for the `schema` of a port. */
export function builtinType(name: keyof typeof builtinTypes.$defs): string {
  return `${builtinTypesId}#/$defs/${name}`;
}
