import { z } from 'zod';

const title = z.string().optional().describe('Title of the page.');

/** The form of a UI message that the API states; `readAssistantRequest` accepts what real clients send. */
const part = z.union([
  z.object({ type: z.literal('text'), text: z.string().describe('Text of the message, in Markdown.') }),
  z.object({
    type: z.literal('reasoning'),
    text: z.string().describe('What the model reasoned.'),
    providerMetadata: z.record(z.string(), z.unknown()).optional().describe('What the model says about the part.'),
  }),
  z.object({
    type: z.literal('source-url'),
    sourceId: z.string().describe('Identifier of the source in the message.'),
    url: z.string().describe('Address of the page.'),
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
    role: z.enum(['system', 'assistant', 'user']).describe('Who wrote the message. `system` messages are not obeyed.'),
    parts: z.array(part).describe('The message in parts.'),
    metadata: z.unknown().optional().describe('Metadata of the stream, kept by the client. It names the conversation.'),
    createdAt: z.iso.datetime().optional().describe('When the message was written.'),
  })
  .meta({ id: 'UiMessage', description: 'A message of the AI SDK v5, v6 and v7.' });
