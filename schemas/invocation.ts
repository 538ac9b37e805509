import { z } from 'zod';

/** Key in the `_meta` of a call result: the id of its record. */
export const callKey = 'toolgraph/call';
/** Key in the `_meta` of a call result: the ids of processes that outlived the call, those that live on and those that were ended. */
export const leftBehindKey = 'toolgraph/leftBehind';
/** Key in the `_meta` of a call: who calls, a name or `{name, role?, version?}`. */
export const actorKey = 'toolgraph/actor';
/** Key in the `_meta` of a call: the skill for the sake of which the Tool is called, by name or IRI. */
export const skillKey = 'toolgraph/skill';

/** How a call ended (tool-node.md §4). */
const outcomeKinds = [
  ...(['ran', 'refused-permission', 'refused-input', 'unavailable'] as const),
  ...(['failed', 'timeout', 'cancelled', 'interrupted'] as const),
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

const Sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().min(0);

/** Who called. */
export const CallerSchema = z.strictObject({
  actor: z.string().optional().meta({ description: 'Name; absent when neither the call nor the config gives one' }),
  role: z.string().optional(),
  version: z.string().optional(),
  identity: z.enum(['asserted', 'none']).meta({
    description: 'asserted: the call itself named the actor, and nobody has checked it. none: it named nobody',
  }),
});
export type Caller = Readonly<z.output<typeof CallerSchema>>;

/** The record of one call, as `toolgraph log --json` prints it. A field that does not apply is absent. */
export const InvocationSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the call, as in the _meta of its result' }),
    name: z.string().meta({ description: 'The MCP name that was asked for' }),
    tool: z.string().optional().meta({ description: 'Id of the Tool; absent for a name that was unknown' }),
    iri: z.string().optional().meta({ description: 'IRI of the Tool' }),
    instance: z.string().optional().meta({ description: 'Path to the included instance that the Tool belongs to' }),
    document: z.string().optional().meta({ description: 'Path of the document that states the Tool' }),
    revision: Sha256Schema.optional().meta({ description: 'sha-256 of the whole node, as it was' }),
    definition: Sha256Schema.optional().meta({ description: 'toolgraph/definition of the declaration, as it was' }),
    generation: z.strictObject({ key: z.string(), number: Count, digest: z.string() }),
    skill: z.string().optional().meta({ description: 'The skill that the call named, when the Tool satisfies it' }),
    claimedSkill: z
      .string()
      .optional()
      .meta({ description: 'The skill that it named, when the Tool does not satisfy it' }),
    by: CallerSchema,
    inputs: z.unknown().optional().meta({ description: 'The arguments, secrets masked, without user_confirmed' }),
    inputsCut: z.strictObject({ head: z.string(), bytes: Count, sha256: Sha256Schema }).optional().meta({
      description: 'In place of inputs that are too large: the beginning of their JCS form, its size and digest',
    }),
    confirmed: z
      .boolean()
      .optional()
      .meta({ description: 'Whether user_confirmed was true; absent when it was not sent' }),
    arm: z.string().optional(),
    argv: z.array(z.string()).optional().meta({ description: 'The command and its arguments, secrets masked' }),
    argvCut: z.strictObject({ words: Count, sha256: Sha256Schema }).optional().meta({
      description: 'When argv holds the first words only: how many there were, and the digest of all as JSON',
    }),
    outcome: z.enum(outcomeKinds).nullable().meta({ description: 'null while it runs' }),
    reason: z.string().optional().meta({ description: 'Why; absent only when it ran or still runs' }),
    code: z.string().optional().meta({ description: 'The code of the error that the caller got (docs/codes.md)' }),
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    output: z.strictObject({ bytes: Count, sha256: Sha256Schema }).optional().meta({
      description: 'Size and digest of all of stdout, or of the text of the result where there is no process',
    }),
    survivors: z.array(Count).optional().meta({
      description: 'Ids of processes that had left the group of the call and lived on when it ended',
    }),
    endedSurvivors: z.array(Count).optional().meta({ description: 'Ids of such that were ended with it' }),
    started: z.iso.datetime().meta({ description: 'When the call came in' }),
    finished: z.iso.datetime().optional(),
  })
  .meta({ title: 'Invocation', description: 'The record of one call' });

/** The record of one call, as it is read. */
export type Invocation = Readonly<z.output<typeof InvocationSchema>>;
