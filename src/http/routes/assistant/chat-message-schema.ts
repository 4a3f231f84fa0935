import { z } from 'zod';

/**
 * The form of a chat message that the API states. What is accepted is wider, because real clients send less and more than
 * their protocol says; `readAssistantRequest` decides.
 */
const toolInvocation = z.union([
  z.object({
    state: z.enum(['partial-call', 'call']),
    step: z.number().optional(),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.unknown(),
  }),
  z.object({
    state: z.literal('result'),
    step: z.number().optional(),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.unknown(),
    result: z.unknown(),
  }),
]);

const reasoningDetail = z.union([
  z.object({ type: z.literal('text'), text: z.string(), signature: z.string().optional() }),
  z.object({ type: z.literal('redacted'), data: z.string() }),
]);

const source = z.object({ sourceType: z.literal('url'), id: z.string(), url: z.string(), title: z.string().optional() });

const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), reasoning: z.string(), details: z.array(reasoningDetail) }),
  z.object({ type: z.literal('step-start') }),
  z.object({ type: z.literal('source'), source }),
  z.object({ type: z.literal('tool-invocation'), toolInvocation }),
]);

const chatMessage = z
  .object({
    id: z.string(),
    role: z.enum(['system', 'assistant', 'data', 'user']),
    createdAt: z.iso.datetime().optional(),
    content: z.string(),
    annotations: z.array(z.unknown()).optional(),
    parts: z.array(part),
    experimental_attachments: z
      .array(z.object({ name: z.string().optional(), contentType: z.string().optional(), url: z.string() }))
      .optional(),
  })
  .meta({ id: 'ChatMessage' });

export const messageBodySchema = z
  .object({
    fp: z.string().min(1).max(256).describe('`anonymous`, or an id of the user.'),
    messages: z.array(chatMessage).min(1).max(500).describe("The last one is the user's, or the assistant's to be continued."),
    threadId: z.string().nullable().optional().describe('Continues a conversation.'),
    threadKey: z.string().optional().describe('The secret of that conversation, from `x-thread-key`.'),
    proof: z.string().optional().describe('Solution of a bot check, where the site asks for one.'),
    retrievalPageSize: z.number().optional().describe('Pages to answer from, 1 to 50; 5 without it.'),
    filter: z.object({ version: z.string().optional(), language: z.string().optional() }).nullable().optional(),
    context: z
      .array(
        z.object({
          type: z.enum(['code', 'textSelection']),
          value: z.string(),
          path: z.string().optional(),
          elementId: z.string().optional(),
        }),
      )
      .optional(),
    currentPath: z.string().max(200).optional(),
    wire: z.literal('minimal').optional().describe('Leaves out what the oldest client releases fail on.'),
  })
  .meta({ id: 'AssistantMessageRequest' });
