import { z } from 'zod';

const title = z.string().optional().describe('Title of the page.');

/** The documented form of a UI message; `readAssistantRequest` accepts what real clients send. */
const part = z.union([
  z.object({ type: z.literal('text'), text: z.string().describe('Text of the message, in Markdown.') }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string().describe('Reasoning of the model.'),
    providerMetadata: z.record(z.string(), z.unknown()).optional().describe('Metadata of the model about the part.'),
  }),
  z.object({
    type: z.literal('source-url'),
    sourceId: z.string().describe('Identifier of the source in the message.'),
    url: z.string().describe('URL of the page.'),
    title,
  }),
  z.object({
    type: z.literal('source-document'),
    sourceId: z.string().describe('Identifier of the source in the message.'),
    mediaType: z.string().describe('Media type of the document.'),
    title: z.string().describe('Title of the document.'),
  }),
  z.object({
    type: z.literal('file'),
    mediaType: z.string().describe('Media type of the file.'),
    url: z.string().describe('The file as a `data:` URL; other addresses are ignored.'),
    filename: z.string().optional().describe('Name of the file.'),
  }),
  z.object({ type: z.literal('step-start') }),
  z.looseObject({ type: z.string().describe('`tool-…` and `dynamic-tool` in every state, `data-…`.') }),
]);

export const uiMessage = z
  .object({
    id: z.string().describe('Identifier of the message in the client.'),
    role: z.enum(['system', 'assistant', 'user']).describe('Who wrote the message. `system` messages are ignored.'),
    parts: z.array(part).describe('The message in parts.'),
    metadata: z
      .unknown()
      .optional()
      .describe('Metadata of the stream, kept by the client. It contains the identifier of the conversation.'),
    createdAt: z.iso.datetime().optional().describe('When the message was written.'),
  })
  .meta({ id: 'UiMessage', description: 'A message of the AI SDK v5, v6 and v7.' });
