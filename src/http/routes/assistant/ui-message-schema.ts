import { z } from 'zod';
import { messageBodySchema } from './chat-message-schema.ts';

/** The form of a UI message that the API states; `readAssistantRequest` accepts what real clients send. */
const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string(), providerMetadata: z.record(z.string(), z.unknown()).optional() }),
  z.object({ type: z.literal('source-url'), sourceId: z.string(), url: z.string(), title: z.string().optional() }),
  z.object({ type: z.literal('source-document'), sourceId: z.string(), mediaType: z.string(), title: z.string() }),
  z.object({ type: z.literal('file'), mediaType: z.string(), url: z.string(), filename: z.string().optional() }),
  z.object({ type: z.literal('step-start') }),
  z.looseObject({ type: z.string().describe('`tool-…`, `dynamic-tool` in every state, `data-…`') }),
]);

const uiMessage = z
  .object({
    id: z.string(),
    role: z.enum(['system', 'assistant', 'user']),
    parts: z.array(part),
    metadata: z.unknown().optional(),
    createdAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'UiMessage' });

export const uiMessageBodySchema = messageBodySchema
  .extend({
    messages: z.array(uiMessage).min(1).max(500).describe("The last one is the user's, or the assistant's to be continued."),
    filter: z
      .object({ version: z.string().optional(), language: z.string().optional(), groups: z.array(z.string()).optional() })
      .nullable()
      .optional(),
  })
  .meta({ id: 'AssistantUiMessageRequest' });
