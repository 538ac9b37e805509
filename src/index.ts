export type { Declaration, JsonSchema } from '../schemas/declaration.js';
export { builtinType, defineTool, type ToolDefinition, ToolDefinitionError } from '../schemas/define-tool.js';
export type { Tool, ToolDocument } from '../schemas/tool.js';
export { ToolSchema } from '../schemas/tool-rules.js';
export { builtinTypeNodes } from '../schemas/types.js';
export type { Diagnostic } from './diagnostic.js';
export { type Argv, buildArgv } from './invocation/argv.js';
export type { CallOutcome } from './invocation/outcome.js';
export type { Refusal } from './invocation/refusal.js';
export { callTool, type ToolResult, UnknownToolError } from './mcp/pure.js';
export { buildGetStateTool } from './mcp/resources/get-state-tool.js';
export type { OutputContents } from './mcp/resources/output-resource.js';
export { type ReadableService, readResource } from './mcp/resources/read-resource.js';
export {
  buildResourcesList,
  buildResourceTemplatesList,
  type ResourceListing,
  type ResourceTemplate,
} from './mcp/resources/resource-list.js';
export { ResourceFailure, ResourceRequestError, type ResourceText } from './mcp/resources/resource-text.js';
export type { ViewContents } from './mcp/resources/view-content.js';
export { type AnalyseOptions, analysePatterns } from './patterns/analyse.js';
export type { PatternVerdict, PatternVerdicts } from './patterns/verdict.js';
export type { Entry, Generation, Omission, Projection, ProjectionOptions } from './projection/generation.js';
export type { HostFacts, HostQuestions } from './projection/host.js';
export type { SkillNode, ToolNode, TypeNode, TypeRegistry } from './projection/node.js';
export { patternsOf } from './projection/patterns.js';
export { type ProjectionInput, project } from './projection/project.js';
export { hostQuestions } from './projection/requirements.js';
export {
  type Absence,
  createService,
  type ExportOptions,
  type GenerationChange,
  type OnProgress,
  type Service,
  type ServiceOptions,
  type ServiceStatus,
} from './service.js';
export type {
  BindingsResult,
  BindingTerm,
  BooleanResult,
  GraphQuery,
  QuadsResult,
  QueryOptions,
  QueryResult,
  ResultQuad,
  ResultTerm,
} from './store/query/graph-query.js';
export { QueryError, type QueryErrorCode, type QueryPosition } from './store/query/query-error.js';
export { type ResultsJson, resultsCsv, resultsJson } from './store/query/result-formats.js';
