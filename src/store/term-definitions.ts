import { historyClassDefinitions, historyPropertyDefinitions } from './provenance/provenance-definitions.js';
import { classes, DCTERMS, OSLC_RM, PROV, propertyIri, SCHEMA, TD, TG, XSD } from './vocabulary.js';

/** What a class of ours is, for the published vocabulary. */
export interface ClassDefinition {
  readonly iri: string;
  /** One or two sentences in English. */
  readonly comment: string;
  /** Super-classes. */
  readonly broader?: readonly string[];
}

/** What a property means. Of one that is another vocabulary's, only how toolgraph uses it. */
export interface PropertyDefinition {
  readonly iri: string;
  readonly comment: string;
  /** Super-properties. */
  readonly broader?: readonly string[];
  /**
   * Classes of the subject; several mean any of them. Left out of a key of nodes: the vocabulary takes it from the forms of
   * src/store/node-forms.ts, and the range from the kind of the key.
   */
  readonly domain?: readonly string[];
  /** Class or datatype of the value. */
  readonly range?: string;
}

/** Classes of the nodes inside a Tool or a view. No document states them as `@type`: the property that leads to a node says what it is. */
export const partClasses = {
  Port: `${TG}Port`,
  Input: `${TG}Input`,
  Output: `${TG}Output`,
  Parameter: `${TG}Parameter`,
  Arg: `${TG}Arg`,
  Remedy: `${TG}Remedy`,
  Maintained: `${TG}Maintained`,
} as const;

const DataSchema = 'https://www.w3.org/2019/wot/json-schema#DataSchema';

export const classDefinitions: readonly ClassDefinition[] = [
  {
    iri: classes.Tool,
    comment:
      'A description of one concrete mechanism, a command, a container or a function, that can be offered to MCP clients.',
    broader: [`${SCHEMA}SoftwareApplication`, `${TD}ActionAffordance`, `${PROV}Entity`],
  },
  {
    iri: classes.Skill,
    comment: 'A capability, stated generically. Tools satisfy it.',
    broader: [`${OSLC_RM}Requirement`],
  },
  {
    iri: classes.View,
    comment: 'A named SPARQL query over the graph: what a Tool is for doing, a view is for reading.',
    broader: [`${TD}PropertyAffordance`, `${PROV}Entity`],
  },
  {
    iri: classes.Type,
    comment: 'A type of values, described by a JSON Schema: what goes into a Tool or comes out of it.',
    broader: [DataSchema],
  },
  {
    iri: classes.Document,
    comment: 'A file of an instance. What it states is a named graph, which has its IRI.',
    broader: [`${SCHEMA}DigitalDocument`, `${PROV}Entity`],
  },
  { iri: partClasses.Port, comment: 'A named and typed place where a value goes in or comes out.' },
  { iri: partClasses.Input, comment: 'A value that a call of a Tool gives.', broader: [partClasses.Port] },
  { iri: partClasses.Output, comment: 'A value that a call of a Tool gives back.', broader: [partClasses.Port] },
  { iri: partClasses.Parameter, comment: 'A value that the query of a view is given.', broader: [partClasses.Port] },
  {
    iri: partClasses.Arg,
    comment: 'How an input reaches the process: as a flag, at a position, or on standard input.',
  },
  { iri: partClasses.Remedy, comment: 'What helps when a call fails with some error: a Tool, or why none does.' },
  { iri: partClasses.Maintained, comment: 'One thing that a Tool keeps up to date, and what it is made from.' },
  ...historyClassDefinitions,
];

/** What each key of a node means in the graph (`terms` of src/store/vocabulary.ts). */
export const propertyDefinitions: readonly PropertyDefinition[] = [
  key('id', 'The id of a Tool or view, as its document writes it.'),
  key('name', 'The name of a skill, an input, an output or a parameter.'),
  key('title', 'A name for people.'),
  key('description', 'What the thing does or is. Of a Tool or an input: what a model reads when it chooses and calls.'),
  key('version', 'The version of a Tool.'),
  key(
    'tier',
    'How mature it is: "stable", which is what a node without one means, "experimental", "deprecated", or "internal", which is never served.',
  ),
  key(
    'effect',
    'What a call does: "read" changes nothing, "write" changes something, "destructive" can lose something. Left out: not stated.',
  ),
  key('idempotent', 'Whether a second call with the same arguments changes nothing more.'),
  key('openWorld', 'Whether a call reaches out of its host, as a search of the web does.'),
  key('requiresConfirmation', 'Whether a person has to agree before each call.'),
  key('deprecated', 'Why it should not be used any more, and the id of what replaces it: {reason?, replacedBy?}.'),
  key('install', 'How to get what the Tool runs: {cli?, container?, service?, none?}.'),
  key('invoke', 'How the Tool is run, one member an arm: {shell?, container?, inProcess?, mcp?, manual?}.'),
  key('requires', 'What the host has to have: {os?, runtime?, network?, env?}.', `${SCHEMA}softwareRequirements`),
  key('when', 'Paths that have to exist in the instance while the Tool is listed: {exists}.'),
  key('limits', 'Bounds on a call: {timeoutMs?, outputBytes?}.'),
  key(
    'selection',
    'For whoever chooses between Tools: {when?, limits?, cost?}. It is in the graph only, never in what a model reads.',
  ),
  key('downstream', 'Data for other programs: any JSON object.'),
  key('from', 'Where an output comes from: {stdout: "json" or "text", pointer?} or {result: true, pointer?}.'),
  key('inputs', 'The inputs of a Tool, in order.'),
  key('outputs', 'The outputs of a Tool, in order.'),
  key('schema', 'The type of the values.', `${DCTERMS}conformsTo`),
  key(
    'required',
    'Whether the value has to be there. Left out, an input or parameter may be left out, and an output is there.',
  ),
  key('repeated', 'Whether the input is a list of values.'),
  key('arg', 'How the input reaches the process. An input without one does not.'),
  key('flag', 'The flag before the value; of a boolean, present when it is true.'),
  key('joined', 'Whether flag and value are one word, --flag=value.'),
  key('positional', 'The place among the positional words, counted from 0.'),
  key('stdin', 'The value is written to standard input. It is always true.'),
  key('satisfies', 'A skill that the Tool is a way to do.', `${OSLC_RM}satisfies`),
  key('alternativeTo', 'A Tool that does the same.', `${DCTERMS}relation`),
  key('remedies', 'What helps when a call of the Tool fails.'),
  key('host', 'Where the error comes from.'),
  key('error', 'The error, or a part of its text.'),
  key('tool', 'The Tool that helps.'),
  key('none', 'Why no Tool helps.'),
  key('maintains', 'Something that the Tool keeps up to date.'),
  key('source', 'What the artefact is made from.'),
  key('artefact', 'What is kept up to date.'),
  key('format', 'The format of the artefact.'),
  key('renders', 'A kind of things that the Tool shows.'),
  key('subprocesses', 'The id of a process that the Tool starts.'),
  key('query', 'The SPARQL 1.1 query of a view: SELECT, ASK or CONSTRUCT.'),
  key('parameters', 'The parameters of a view, in the order of its resource template.'),
  key('uri', 'The URI at which a view is read, or the template of such URIs (RFC 6570).'),
  key('mediaType', 'The media type of what is read at the URI of a view.', `${DCTERMS}format`),
  key('jsonSchema', 'The JSON Schema of a type.'),
  ofService(
    'servesKey',
    'Names the options and the host of the generations that the service serves: its history has one sequence of generations for each.',
    'string',
  ),
  ofService('servesNumber', 'The number of the generation that the service serves now.', 'integer'),
  ofService('servesDigest', 'The digest of the generation that the service serves now.', 'string'),
  ...historyPropertyDefinitions,
];

function key(name: string, comment: string, ...broader: string[]): PropertyDefinition {
  return { iri: propertyIri(name), comment, ...(broader.length === 0 ? {} : { broader }) };
}

/** Stated by a service of itself, in a graph that has its IRI. */
function ofService(name: string, comment: string, datatype: string): PropertyDefinition {
  return { iri: TG + name, comment, domain: [`${PROV}SoftwareAgent`], range: XSD + datatype };
}
