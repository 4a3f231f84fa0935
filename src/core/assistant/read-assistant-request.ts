import type { AssistantQuestion, QuestionContext } from './chat-request.ts';
import { BodyReader, property, type ReadMessage, readMessage } from './read-message.ts';

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
 * Parses the body of an assistant request of the v1 protocol (AI SDK v4 messages). Accepts what real clients send, which is more
 * than the documented form; rejects what can only be a mistake.
 * @param body the parsed JSON
 * @throws DocentError `invalid_request` with a JSON pointer for each fault
 */
export function readAssistantRequest(body: unknown): AssistantQuestion {
  const reader = new BodyReader();
  const fields = reader.object(body, '') ?? {};
  const fp = readFp(reader, fields);
  const messages = readMessages(reader, fields);
  const options = readOptions(reader, fields);
  const context = readContext(reader, fields);
  reader.throwIfFailed();
  return { fp, ...options, ...readConversation(reader, messages, context, options.threadId) };
}

function readFp(reader: BodyReader, fields: Record<string, unknown>): string {
  const fp = reader.optionalString(fields, 'fp', '');
  if (fp !== undefined && fp.length >= 1 && fp.length <= MAX_FP_LENGTH) return fp;
  if (property(fields, 'fp') === undefined) reader.fail('/fp', 'Is required: "anonymous", or an id of the user.');
  else if (fp !== undefined) reader.fail('/fp', `Must have 1 to ${MAX_FP_LENGTH} characters.`);
  return '';
}

function readMessages(reader: BodyReader, fields: Record<string, unknown>): ReadMessage[] {
  const values = reader.optionalArray(fields, 'messages', '');
  if (values === undefined) {
    if (property(fields, 'messages') === undefined) reader.fail('/messages', 'Is required: an array of chat messages.');
    return [];
  }
  if (values.length === 0 || values.length > MAX_MESSAGES) {
    reader.fail('/messages', `Must have 1 to ${MAX_MESSAGES} messages.`);
    return [];
  }
  const messages = values.map((value, index) => readMessage(reader, value, `/messages/${index}`));
  const lastIndex = messages.length - 1;
  if (messages[lastIndex]?.isEmpty && messages[lastIndex]?.role !== 'data') {
    reader.fail(`/messages/${lastIndex}`, 'Must have content or parts that are not empty.');
  }
  return messages.filter((message) => message !== undefined);
}

type Options = Pick<AssistantQuestion, 'threadId' | 'threadKey' | 'proof' | 'pageSize' | 'filter' | 'currentPath' | 'wire'>;

function readOptions(reader: BodyReader, fields: Record<string, unknown>): Options {
  const pageSize = reader.optionalNumber(fields, 'retrievalPageSize', '') ?? DEFAULT_PAGE_SIZE;
  const options: Options = {
    pageSize: Math.min(MAX_PAGES, Math.max(1, Math.round(pageSize))),
    wire: reader.optionalString(fields, 'wire', '') === 'minimal' ? 'minimal' : 'full',
  };
  const threadId = reader.optionalString(fields, 'threadId', '');
  if (threadId) options.threadId = threadId;
  const threadKey = reader.optionalString(fields, 'threadKey', '');
  if (threadKey) options.threadKey = threadKey;
  const proof = reader.optionalString(fields, 'proof', '');
  if (proof) options.proof = proof;
  const currentPath = reader.optionalString(fields, 'currentPath', '');
  if (currentPath !== undefined && currentPath.length > MAX_CURRENT_PATH_LENGTH) {
    reader.fail('/currentPath', `Must have at most ${MAX_CURRENT_PATH_LENGTH} characters.`);
  } else if (currentPath) options.currentPath = currentPath;
  const filter = readFilter(reader, fields);
  if (filter !== undefined) options.filter = filter;
  return options;
}

function readFilter(reader: BodyReader, fields: Record<string, unknown>): AssistantQuestion['filter'] {
  const value = reader.optionalObject(fields, 'filter', '');
  if (value === undefined) return undefined;
  const version = reader.optionalString(value, 'version', '/filter');
  const language = reader.optionalString(value, 'language', '/filter');
  // Groups never extend access: a build contains only public pages. A wrong type is still reported.
  for (const [index, group] of (reader.optionalArray(value, 'groups', '/filter') ?? []).entries()) {
    if (typeof group !== 'string') reader.fail(`/filter/groups/${index}`, 'Must be a string.');
  }
  if (!version && !language) return undefined;
  return { ...(version ? { version } : {}), ...(language ? { language } : {}) };
}

function readContext(reader: BodyReader, fields: Record<string, unknown>): QuestionContext[] {
  const values = reader.optionalArray(fields, 'context', '') ?? [];
  const contexts: QuestionContext[] = [];
  values.forEach((value, index) => {
    const at = `/context/${index}`;
    const item = reader.object(value, at);
    if (item === undefined) return;
    const type = reader.requiredString(item, 'type', at);
    const text = reader.requiredString(item, 'value', at);
    const path = reader.optionalString(item, 'path', at);
    const elementId = reader.optionalString(item, 'elementId', at);
    // Like parts of an unknown type, those of newer clients are dropped.
    if ((type !== 'code' && type !== 'textSelection') || text === undefined || contexts.length >= MAX_CONTEXTS) return;
    contexts.push({
      type,
      value: text.slice(0, MAX_CONTEXT_LENGTH),
      ...(path ? { path } : {}),
      ...(elementId ? { elementId } : {}),
    });
  });
  return contexts;
}

type Conversation = Pick<
  AssistantQuestion,
  | 'question'
  | 'turns'
  | 'messageId'
  | 'continuesAssistant'
  | 'assistantMessageId'
  | 'context'
  | 'images'
  | 'onlyNewest'
  | 'threadId'
>;

/**
 * System messages are ignored: a public key must not let its holder rewrite the assistant. Data messages are not part of the
 * conversation.
 */
function readConversation(
  reader: BodyReader,
  messages: readonly ReadMessage[],
  context: QuestionContext[],
  threadId: string | undefined,
): Conversation {
  const spoken = messages.filter((message) => message.role === 'user' || message.role === 'assistant');
  const newest = spoken.findLast((message) => message.role === 'user');
  if (newest === undefined) reader.fail('/messages', "Must have a user's message.");
  else if (newest.text.length > MAX_QUESTION_CHARACTERS) {
    reader.fail(`/messages/${messages.indexOf(newest)}`, `Must have at most ${MAX_QUESTION_CHARACTERS} characters of text.`);
  }
  reader.throwIfFailed();
  const { text, id, attachments, images } = newest as ReadMessage;
  const last = spoken.at(-1) as ReadMessage;
  const turns = spoken
    .filter((message) => message === newest || message.text !== '')
    .map((message) => ({ role: message.role as 'user' | 'assistant', text: message.text }));
  const conversation: Conversation = {
    question: text,
    turns,
    continuesAssistant: last.role === 'assistant',
    context: [...context, ...attachments.map((value) => ({ type: 'code' as const, value }))],
    images: images.slice(0, MAX_IMAGES),
    onlyNewest: spoken.length === 1,
  };
  if (id !== undefined) conversation.messageId = id;
  if (last.role === 'assistant' && last.id !== undefined) conversation.assistantMessageId = last.id;
  const known = threadId ?? spoken.findLast((message) => message.role === 'assistant')?.threadId;
  if (known !== undefined) conversation.threadId = known;
  return conversation;
}
