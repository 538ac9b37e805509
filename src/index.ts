export { defineTool, ToolSchema } from '../schemas/tool-rules.js';
