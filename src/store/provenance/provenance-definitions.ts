import { historyClasses, prov, historyTerms as tg } from '../history-vocabulary.js';
import type { ClassDefinition, PropertyDefinition } from '../term-definitions.js';
import { classes, PROV, rdf, XSD } from '../vocabulary.js';

const { DocumentVersion, Revision, Generation, Projection, Declaration, Omission, Problem, Invocation, CallOutput } =
  historyClasses;

/** What each class of the history is, for the published vocabulary. */
export const historyClassDefinitions: readonly ClassDefinition[] = [
  {
    iri: DocumentVersion,
    comment: 'What the bytes of a document were for some time. It is a specialization of the document.',
    broader: [prov.Entity],
  },
  {
    iri: Revision,
    comment: 'What a Tool was for some time, whole. It is a specialization of the Tool.',
    broader: [prov.Entity],
  },
  {
    iri: Generation,
    comment: 'What a service served at one moment: an immutable set of declarations, omissions and problems.',
    broader: [prov.Entity],
  },
  { iri: Projection, comment: 'The making of one generation.', broader: [prov.Activity] },
  {
    iri: Declaration,
    comment: 'A Tool as MCP clients saw it, from one generation to another.',
    broader: [prov.Entity],
  },
  {
    iri: Omission,
    comment: 'That a Tool was deliberately not served, and why, from one generation to another.',
    broader: [prov.Entity],
  },
  {
    iri: Problem,
    comment: 'Something that could not be determined, from one generation to another.',
    broader: [prov.Entity],
  },
  {
    iri: Invocation,
    comment: 'One call of a Tool, or of a name that was not served. One that was refused is one too.',
    broader: [prov.Activity],
  },
  { iri: CallOutput, comment: 'What a call gave back. Its content is not kept.', broader: [prov.Entity] },
];

const parts = [Declaration, Omission, Problem];

/** What each property of the history means. */
export const historyPropertyDefinitions: readonly PropertyDefinition[] = [
  text('path', 'The path of the document in its instance.', DocumentVersion),
  text(
    'instance',
    'The path from the instance that was served to the included one that has the document.',
    DocumentVersion,
  ),
  text(
    'sha256',
    'The digest in hex: of the bytes of a document or an output, or of the JCS form of a whole node.',
    DocumentVersion,
    Revision,
    CallOutput,
  ),
  value('bytes', 'The size in bytes.', `${XSD}integer`, DocumentVersion, CallOutput),
  text('ending', 'Why it held no longer: "replaced" or "deleted".', DocumentVersion, Revision),
  text(
    'gitState',
    'What git told of the bytes: "committed", they are those of the commit that was checked out; "modified", the file is in it with others; "untracked", it is not in it; "unavailable", for the reason that is given; "not asked yet".',
    DocumentVersion,
  ),
  text('gitReason', 'Why git could not tell.', DocumentVersion),
  text('gitHead', 'The commit that was checked out when git was asked.', DocumentVersion),
  value('gitAskedAt', 'When git was asked.', `${XSD}dateTime`, DocumentVersion),
  text('commit', 'A commit that has the document with these bytes: the first that is known.', DocumentVersion),
  { ...value('content', 'The whole node in JCS form.', rdf.JSON, Revision), broader: [`${PROV}value`] },
  value('statedSkill', 'A skill that the Tool satisfied, as this revision states it.', classes.Skill, Revision),
  text('toolId', 'The id of the Tool.', Revision),
  value(
    'number',
    'The place in the sequence of generations of one key; of a call, that of the generation that it read.',
    `${XSD}integer`,
    Generation,
    Invocation,
  ),
  text('digest', 'The digest of the generation in hex.', Generation),
  text(
    'projectionKey',
    'Names the options and the host of a generation: each key has a sequence of its own.',
    Generation,
    ...parts,
    Invocation,
  ),
  value('about', 'The Tool that it is of.', classes.Tool, ...parts),
  text('mcpName', 'The name in MCP: of a call, the one that was asked for.', ...parts, Invocation),
  text('definition', 'The digest of what a caller could see and what would run.', Declaration, Invocation),
  text('severity', 'How grave the problem is.', Problem),
  text('code', 'The code of the reason (docs/codes.md).', Omission, Problem, Invocation),
  text('reason', 'The reason in words. A call that ran has none.', Omission, Problem, Invocation),
  text(
    'inDocument',
    'The path of the document, as seen from the instance that was served.',
    Omission,
    Problem,
    Revision,
  ),
  text('pointer', 'Where in the document, as a JSON pointer.', Omission, Problem),
  value('sinceGeneration', 'The number of the first generation that has it.', `${XSD}integer`, ...parts),
  value('untilGeneration', 'The number of the first generation that has it no longer.', `${XSD}integer`, ...parts),
  text('callId', 'The id of the call, as in its result.', Invocation),
  value('calls', 'The Tool that the name stood for.', classes.Tool, Invocation),
  value('inGeneration', 'The generation that the call read.', Generation, Invocation),
  text('generationDigest', 'The digest of that generation in hex.', Invocation),
  value('forSkill', 'The skill that the call named, and that the Tool satisfied.', classes.Skill, Invocation),
  text('claimedSkill', 'The skill that the call named, and that the Tool did not satisfy.', Invocation),
  text('arm', 'The arm that ran.', Invocation),
  value('argv', 'The command and its arguments, an array; secrets are masked.', rdf.JSON, Invocation),
  value('callInputs', 'The arguments of the call; secrets are masked.', rdf.JSON, Invocation),
  text('cut', 'What was too large to be kept whole: "argv" or "inputs".', Invocation),
  value('confirmed', 'Whether a person was said to have agreed.', `${XSD}boolean`, Invocation),
  text('outcome', 'How the call ended (docs/records.md); one that runs has none.', Invocation),
  value('exitCode', 'The exit code of the process.', `${XSD}integer`, Invocation),
  text('signal', 'The signal that ended the process.', Invocation),
  text(
    'identity',
    'What is known of who called: "asserted", the call says it and nobody has checked it, or "none".',
    prov.Association,
  ),
  text('actorVersion', 'The version of whoever called, as the call says it.', prov.Association),
  text('actorName', 'The name of whoever called, as the call or the config says it.', prov.Agent),
  text('roleName', 'The name of the role in which the actor called.', prov.Role),
];

function value(
  term: keyof typeof tg,
  comment: string,
  range: string,
  ...domain: readonly string[]
): PropertyDefinition {
  return { iri: tg[term], comment, domain, range };
}

function text(term: keyof typeof tg, comment: string, ...domain: readonly string[]): PropertyDefinition {
  return value(term, comment, `${XSD}string`, ...domain);
}
