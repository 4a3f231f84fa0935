import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';

/** The documented form of a UI message; `readAssistantRequest` accepts what real clients send. */
const uiPart = z.union([
  z.object({
    type: z.literal('text'),
    text: field.text('Text of the message, in Markdown.'),
  }),
  z.object({
    type: z.literal('reasoning'),
    text: field.text('Reasoning of the model.'),
    providerMetadata: field.optional(
      z.record(z.string(), z.unknown()),
      'Metadata of the model about the part.',
    ),
  }),
  z.object({
    type: z.literal('source-url'),
    sourceId: field.text('Identifier of the source in the message.'),
    url: field.text('URL of the page.'),
    title: field.text.optional('Title of the page.'),
  }),
  z.object({
    type: z.literal('source-document'),
    sourceId: field.text('Identifier of the source in the message.'),
    mediaType: field.text('Media type of the document.'),
    title: field.text('Title of the document.'),
  }),
  z.object({
    type: z.literal('file'),
    mediaType: field.text('Media type of the file.'),
    url: field.text('The file as a `data:` URL; other addresses are ignored.'),
    filename: field.text.optional('Name of the file.'),
  }),
  z.object({ type: z.literal('step-start') }),
  z.looseObject({
    type: field.text('`tool-…` and `dynamic-tool` in every state, `data-…`.'),
  }),
]);

const uiMessage = field.resource('UiMessage', 'A message of the AI SDK v5, v6 and v7.', {
  id: field.text('Identifier of the message in the client.'),
  role: field.choice(
    ['system', 'assistant', 'user'],
    'Who wrote the message. `system` messages are ignored.',
  ),
  parts: field.list(uiPart, 'The message in parts.'),
  metadata: field.optional(
    z.unknown(),
    'Metadata of the stream, kept by the client. It contains the identifier of the conversation.',
  ),
  createdAt: z.iso.datetime().optional().describe('When the message was written.'),
});

/**
 * The documented form of a chat message. More is accepted, because real clients send less and more
 * than their protocol says;
 * `readAssistantRequest` decides.
 */
const toolCall = {
  step: z.number().optional().describe('Number of the step in the answer.'),
  toolCallId: field.text('Identifier of the call.'),
  toolName: field.text('Name of the tool.'),
  args: z.unknown().describe('Arguments of the call.'),
};

const toolInvocation = z.union([
  z.object({
    state: field.choice(['partial-call', 'call'], 'A call that has no result yet.'),
    ...toolCall,
  }),
  z.object({
    state: z.literal('result'),
    ...toolCall,
    result: z.unknown().describe('Result of the call.'),
  }),
]);

const reasoningDetail = z.union([
  z.object({
    type: z.literal('text'),
    text: field.text('Reasoning of the model.'),
    signature: field.text.optional('The model’s signature of the text.'),
  }),
  z.object({ type: z.literal('redacted'), data: field.text('Redacted reasoning.') }),
]);

const source = z.object({
  sourceType: z.literal('url'),
  id: field.text('Identifier of the source in the message.'),
  url: field.text('URL of the page.'),
  title: field.text.optional('Title of the page.'),
});

const part = z.union([
  z.object({ type: z.literal('text'), text: field.text('Text of the message.') }),
  z.object({
    type: z.literal('reasoning'),
    reasoning: field.text('Reasoning of the model.'),
    details: field.list(reasoningDetail, 'The reasoning in pieces.'),
  }),
  z.object({ type: z.literal('step-start') }),
  z.object({ type: z.literal('source'), source: source.describe('A source of the answer.') }),
  z.object({
    type: z.literal('tool-invocation'),
    toolInvocation: toolInvocation.describe('A tool call.'),
  }),
]);

const attachment = z.object({
  name: field.text.optional('Name of the file.'),
  contentType: field.text.optional('Media type of the file.'),
  url: field.text('The file as a `data:` URL; other addresses are ignored.'),
});

const chatMessage = field.resource(
  'ChatMessage',
  'A message of the AI SDK v4. `id`, `parts` and `createdAt` may be omitted.',
  {
    id: field.text('Identifier of the message in the client.'),
    role: field.choice(
      ['system', 'assistant', 'data', 'user'],
      'Who wrote the message. `system` and `data` messages are ignored.',
    ),
    createdAt: z.iso.datetime().optional().describe('When the message was written.'),
    content: field.text('Text of the message.'),
    annotations: field.optional(
      z.array(z.unknown()),
      'Annotations of the stream, kept by the client.',
    ),
    parts: field.list(part, 'The message in parts.'),
    experimental_attachments: field.optional(z.array(attachment), 'Files attached by the reader.'),
  },
);

const filter = {
  version: field.text.optional('Answer from pages of this version, and pages without a version.'),
  language: field.text.optional(
    'Answer from pages in this language, and pages without a language.',
  ),
};

const context = field.resource('QuestionContext', 'A selection of the reader.', {
  type: field.choice(['code', 'textSelection'], 'Kind of selection.'),
  value: field.text('The selected code or text.'),
  path: field.text.optional('Page of the selection.'),
  elementId: field.text.optional('`id` of the element that contains the selection.'),
});

/** Fields of a question in every protocol; the messages and the filter differ. */
const question = {
  fp: z.string().min(1).max(256).describe('`anonymous`, or an identifier of the user.'),
  threadId: field.optional(
    z.string().nullable(),
    'Identifier of the conversation to continue. An unknown one starts a new conversation.',
  ),
  threadKey: field.text.optional('Secret of that conversation, from `x-thread-key`.'),
  proof: field.text.optional('Solution of the bot check, if the site has one.'),
  retrievalPageSize: field.optional(
    z.number(),
    'Number of pages to search for and answer from, 1 to 50. Default: 5.',
  ),
  context: field.optional(z.array(context), 'Selections of the reader on the page.'),
  currentPath: z.string().max(200).optional().describe('Path of the current page.'),
  wire: field.optional(
    z.literal('minimal'),
    '`minimal` omits parts that the oldest AI SDK releases cannot read.',
  ),
};

const MESSAGES =
  '1 to 500 messages. The last one is from the user, or from the assistant, to be continued.';
const exampleFields = { threadId: null, currentPath: '/guides/keys' };

export const messageBodySchema = field.resource(
  'AssistantMessageRequest',
  'A question to the assistant, as clients of the AI SDK v4 send it.',
  {
    messages: z.array(chatMessage).min(1).max(500).describe(MESSAGES),
    ...question,
    searchForm: field.optional(
      z.literal('object'),
      '`object` returns the results of a search as `{type: "search", results}`. Default: an array of the results.',
    ),
    filter: z.object(filter).nullable().optional().describe('Which pages to answer from.'),
  },
  {
    fp: 'anonymous',
    messages: [
      {
        id: 'msg-1',
        role: 'user',
        content: 'How do I rotate a key?',
        parts: [{ type: 'text', text: 'How do I rotate a key?' }],
      },
    ],
    ...exampleFields,
  },
);

export const uiMessageBodySchema = field.resource(
  'AssistantUiMessageRequest',
  'A question to the assistant, as `useChat` of the AI SDK v5, v6 and v7 sends it.',
  {
    messages: z.array(uiMessage).min(1).max(500).describe(MESSAGES),
    ...question,
    filter: field.optional(
      z
        .object({
          ...filter,
          groups: field.optional(
            z.array(z.string()),
            'Groups to narrow the reader (`X-Reader-Token`) to: pages for other groups are left out. They never open anything.',
          ),
        })
        .nullable(),
      'Which pages to answer from.',
    ),
  },
  {
    fp: 'anonymous',
    messages: [
      { id: 'msg-1', role: 'user', parts: [{ type: 'text', text: 'How do I rotate a key?' }] },
    ],
    ...exampleFields,
  },
);
