import { z } from 'zod';

const annotations = z.record(z.string(), z.unknown()).optional();
const _meta = z.record(z.string(), z.unknown()).optional();
const resourceContents = { uri: z.string(), mimeType: z.string().optional(), _meta };

/** One block of the content of a `tools/call` result, of every kind that MCP has from revision 2025-06-18 on. */
export const ContentBlockSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), annotations, _meta }),
  z.strictObject({ type: z.literal('image'), data: z.base64(), mimeType: z.string(), annotations, _meta }),
  z.strictObject({ type: z.literal('audio'), data: z.base64(), mimeType: z.string(), annotations, _meta }),
  z.strictObject({
    type: z.literal('resource'),
    resource: z.union([
      z.strictObject({ ...resourceContents, text: z.string() }),
      z.strictObject({ ...resourceContents, blob: z.base64() }),
    ]),
    annotations,
    _meta,
  }),
  z.looseObject({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.number().optional(),
    annotations,
    _meta,
  }),
]);

export type ContentBlock = z.output<typeof ContentBlockSchema>;

/** What a function returns that answers as an MCP tool does. */
export const ReturnedResultSchema = z.looseObject({
  content: z.array(ContentBlockSchema),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
