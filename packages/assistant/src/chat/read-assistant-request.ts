import type { AssistantQuestion, ChatTurn, QuestionContext } from './chat-request.ts';
import { BodyReader, type ReadMessage, readMessage } from './read-message.ts';

/** The fields of a request in both protocols. */
const BODY = {
  fp: 'string',
  messages: 'array',
  retrievalPageSize: 'number',
  wire: 'string',
  searchForm: 'string',
  threadId: 'string',
  threadKey: 'string',
  proof: 'string',
  currentPath: 'string',
  filter: 'object',
  context: 'array',
} as const;
const MAX_MESSAGES = 500;
const MAX_FP_LENGTH = 256;
const MAX_CURRENT_PATH_LENGTH = 200;
const DEFAULT_PAGE_SIZE = 5;
const MAX_PAGES = 50;
const MAX_CONTEXTS = 20;
const MAX_CONTEXT_LENGTH = 20_000;
const MAX_IMAGES = 4;
const MAX_QUESTION_CHARACTERS = 16_000;

/**
 * Parses the body of an assistant request of the v1 protocol (AI SDK v4 messages). Accepts what
 * real clients send, which is more than the documented form; rejects what can only be a mistake.
 * @param body the parsed JSON
 * @throws DocentError `invalid_request` with a JSON pointer for each fault
 */
export function readAssistantRequest(body: unknown): AssistantQuestion {
  const reader = new BodyReader();
  const required = {
    fp: 'Is required: "anonymous", or an id of the user.',
    messages: 'Is required: an array of chat messages.',
  };
  const fields = reader.fields(reader.object(body, '') ?? {}, '', BODY, required);
  const {
    fp = '',
    retrievalPageSize = DEFAULT_PAGE_SIZE,
    wire,
    searchForm,
    threadId,
    threadKey,
    proof,
    currentPath,
  } = fields;
  if (fields.fp === '' || fp.length > MAX_FP_LENGTH)
    reader.fail('/fp', `Must have 1 to ${MAX_FP_LENGTH} characters.`);
  const messages = fields.messages ? readMessages(reader, fields.messages) : [];
  if (currentPath && currentPath.length > MAX_CURRENT_PATH_LENGTH)
    reader.fail('/currentPath', `Must have at most ${MAX_CURRENT_PATH_LENGTH} characters.`);
  const { filter, groups } = readFilter(reader, fields.filter);
  const context = readContext(reader, fields.context);
  reader.throwIfFailed();
  return {
    fp,
    pageSize: Math.min(MAX_PAGES, Math.max(1, Math.round(retrievalPageSize))),
    wire: wire === 'minimal' ? 'minimal' : 'full',
    searchForm: searchForm === 'object' ? 'object' : 'array',
    threadKey: threadKey || undefined,
    proof: proof || undefined,
    currentPath: currentPath || undefined,
    filter,
    groups,
    ...readConversation(reader, messages, context, threadId || undefined),
  };
}

function readMessages(reader: BodyReader, values: readonly unknown[]): ReadMessage[] {
  if (values.length === 0 || values.length > MAX_MESSAGES) {
    reader.fail('/messages', `Must have 1 to ${MAX_MESSAGES} messages.`);
    return [];
  }
  const messages = values.map((value, index) => readMessage(reader, value, `/messages/${index}`));
  const last = messages.at(-1);
  if (last?.isEmpty && last.role !== 'data')
    reader.fail(
      `/messages/${messages.length - 1}`,
      'Must have content or parts that are not empty.',
    );
  return messages.filter((message) => message !== undefined);
}

function readFilter(
  reader: BodyReader,
  filter: Record<string, unknown> = {},
): Pick<AssistantQuestion, 'filter' | 'groups'> {
  const { version, language, groups } = reader.fields(filter, '/filter', {
    version: 'string',
    language: 'string',
    groups: 'array',
  });
  for (const [index, group] of groups?.entries() ?? [])
    if (typeof group !== 'string') reader.fail(`/filter/groups/${index}`, 'Must be a string.');
  const names = groups?.filter((group) => typeof group === 'string');
  return {
    ...(names && { groups: names }),
    ...((version || language) && {
      filter: { ...(version && { version }), ...(language && { language }) },
    }),
  };
}

function readContext(reader: BodyReader, values: readonly unknown[] = []): QuestionContext[] {
  const contexts = values.flatMap((value, index): QuestionContext[] => {
    const at = `/context/${index}`;
    const item = reader.object(value, at);
    if (item === undefined) return [];
    const types = { type: 'string', value: 'string', path: 'string', elementId: 'string' } as const;
    const read = reader.fields(item, at, types, { type: 'Is required.', value: 'Is required.' });
    const { type, value: text, path, elementId } = read;
    // Like parts of an unknown type, those of newer clients are dropped.
    if ((type !== 'code' && type !== 'textSelection') || text === undefined) return [];
    return [
      {
        type,
        value: text.slice(0, MAX_CONTEXT_LENGTH),
        path: path || undefined,
        elementId: elementId || undefined,
      },
    ];
  });
  return contexts.slice(0, MAX_CONTEXTS);
}

/**
 * System messages are ignored: a public key must not let its holder rewrite the assistant. Data
 * messages are not part of the conversation.
 */
function readConversation(
  reader: BodyReader,
  messages: readonly ReadMessage[],
  context: QuestionContext[],
  threadId: string | undefined,
) {
  const spoken = messages.filter(
    (message) => message.role === 'user' || message.role === 'assistant',
  );
  const newest = spoken.findLast((message) => message.role === 'user');
  if (newest === undefined) reader.fail('/messages', "Must have a user's message.");
  else if (newest.text.length > MAX_QUESTION_CHARACTERS) {
    reader.fail(
      `/messages/${messages.indexOf(newest)}`,
      `Must have at most ${MAX_QUESTION_CHARACTERS} characters of text.`,
    );
  }
  reader.throwIfFailed();
  const { text, id, attachments, images } = newest as ReadMessage;
  const last = spoken.at(-1) as ReadMessage;
  const continuesAssistant = last.role === 'assistant';
  return {
    question: text,
    turns: spoken
      .filter((message) => message === newest || message.text !== '')
      .map(({ role, text }) => ({ role: role as ChatTurn['role'], text })),
    messageId: id,
    continuesAssistant,
    assistantMessageId: continuesAssistant ? last.id : undefined,
    threadId: threadId ?? spoken.findLast(({ role }) => role === 'assistant')?.threadId,
    context: [...context, ...attachments.map((value) => ({ type: 'code' as const, value }))],
    images: images.slice(0, MAX_IMAGES),
    onlyNewest: spoken.length === 1,
  };
}
