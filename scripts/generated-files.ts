import { z } from 'zod';
import { ConfigSchema } from '../schemas/config.js';
import { DeclarationSchema, type JsonSchema } from '../schemas/declaration.js';
import { InvocationSchema } from '../schemas/invocation.js';
import { SkillSchema } from '../schemas/skill.js';
import { ToolDocumentSchema } from '../schemas/tool.js';
import { TypeDocumentSchema } from '../schemas/type-document.js';
import { argvSafeTypes, builtinTypes, builtinTypesId } from '../schemas/types.js';
import { ViewSchema } from '../schemas/view.js';
import { rules } from '../src/check/rule-table.js';
import { codes } from '../src/diagnostic.js';
import { jsonFile } from '../src/json-text.js';
import { classDefinitions, propertyDefinitions } from '../src/store/term-definitions.js';
import { buildContext, terms } from '../src/store/vocabulary.js';
import type { BenchResult } from './bench/result.js';
import { renderConfiguration } from './configuration-page.js';
import { type NodeSchemas, renderNodes } from './node-page.js';
import { ontology } from './ontology.js';
import { ontologyJsonLd, ontologyTurtle } from './ontology-files.js';
import { renderPerformance } from './performance-page.js';
import { renderCodes, renderTypes, renderVocabulary } from './reference-pages.js';
import { renderRules } from './rules-page.js';
import { shaclLimits } from './shacl-limits.js';
import { renderShapes } from './shacl-shapes.js';
import { renderShapesPage } from './shapes-page.js';

/**
 * Every generated file: its path from the package root, and what it must hold. `measured` is what docs/performance.json holds. Pure.
 */
export function generatedFiles(measured: BenchResult): ReadonlyMap<string, string> {
  return new Map([
    ['schemas/generated/tool.schema.json', jsonSchema('tool', ToolDocumentSchema)],
    ['schemas/generated/skill.schema.json', jsonSchema('skill', SkillSchema)],
    ['schemas/generated/type-document.schema.json', jsonSchema('type-document', TypeDocumentSchema)],
    ['schemas/generated/view.schema.json', jsonSchema('view', ViewSchema)],
    ['schemas/generated/config.schema.json', jsonSchema('config', ConfigSchema)],
    ['schemas/generated/declaration.schema.json', jsonSchema('declaration', DeclarationSchema)],
    ['schemas/generated/invocation.schema.json', jsonSchema('invocation', InvocationSchema)],
    ['schemas/generated/types.schema.json', jsonFile(builtinTypes)],
    ['schemas/generated/context.jsonld', jsonFile(buildContext())],
    ['schemas/generated/vocabulary.ttl', ontologyTurtle(ontology())],
    ['schemas/generated/vocabulary.jsonld', ontologyJsonLd(ontology())],
    ['schemas/generated/shapes.ttl', renderShapes()],
    ['docs/shapes.md', renderShapesPage(shaclLimits)],
    ['docs/codes.md', renderCodes(codes)],
    ['docs/rules.md', renderRules(rules)],
    ['docs/configuration.md', renderConfiguration(inputSchema(ConfigSchema))],
    ['docs/node.md', renderNodes(nodeSchemas())],
    ['docs/vocabulary.md', renderVocabulary(classDefinitions, propertyDefinitions, terms)],
    ['docs/performance.md', renderPerformance(measured)],
    ['docs/types.md', renderTypes(builtinTypesId, builtinTypes.$defs, new Set(argvSafeTypes))],
  ]);
}

function nodeSchemas(): NodeSchemas {
  return { tool: inputSchema(ToolDocumentSchema), skill: inputSchema(SkillSchema), view: inputSchema(ViewSchema) };
}

function inputSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
}

/** What an author may write (`io: 'input'`), as JSON Schema for editors. */
function jsonSchema(name: string, schema: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return jsonFile({ $schema, $id: `https://w3id.org/toolgraph/${name}.schema.json`, ...rest });
}
