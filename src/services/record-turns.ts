import { createHash } from 'node:crypto';
import type { AssistantQuestion } from '../core/assistant/assistant-question.ts';
import { deleteMessagesFrom, insertMessage, listTurns, type NewMessage } from '../db/threads.ts';
import type { ChatTurn } from '../ports/chat-model.ts';
import type { Deps } from './deps.ts';
import { createUlid } from './ids.ts';
import { storableText } from './storable-text.ts';

/** Turns of a stored conversation that are put before the newest question. */
const MOST_EARLIER_TURNS = 20;

const nothingOfAModel = {
  sources: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  outcome: null,
  firstTextMs: null,
  durationMs: null,
};

/**
 * Stores the reader's question at the end of its thread. A question that was stored before under the same message id is
 * being asked again or was edited: it and what followed it are replaced.
 * @returns the turns before it, oldest first, where the request does not hold them itself
 */
export async function recordQuestion(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  threadId: string,
  question: AssistantQuestion,
): Promise<ChatTurn[]> {
  const createdAt = clock.now();
  const id = question.messageId === undefined ? createUlid(createdAt) : storedId(threadId, question.messageId);
  return database.queries.transaction().execute(async (transaction) => {
    await deleteMessagesFrom(transaction, threadId, id);
    const earlier = question.onlyNewest ? await listTurns(transaction, threadId, MOST_EARLIER_TURNS) : [];
    const content = storableText(question.question);
    await insertMessage(transaction, { ...nothingOfAModel, id, threadId, role: 'user', content, status: 'complete', createdAt });
    return earlier.map(({ role, content: text }) => ({ role, text }));
  });
}

/** A client's message id is its own choice, so it counts only inside its thread. */
function storedId(threadId: string, messageId: string): string {
  return createHash('sha256').update(`${threadId}\n${messageId}`).digest('hex').slice(0, 32);
}

export type AnswerRecord = Omit<NewMessage, 'id' | 'role' | 'createdAt'>;

/** Stores an answer, whole or not, at the end of its thread. */
export async function recordAnswer({ database, clock }: Pick<Deps, 'database' | 'clock'>, answer: AnswerRecord): Promise<void> {
  const createdAt = clock.now();
  const content = storableText(answer.content);
  const sources = answer.sources.map(({ title, url }) => ({ title: storableText(title), url: storableText(url) }));
  await database.queries
    .transaction()
    .execute((transaction) =>
      insertMessage(transaction, { ...answer, content, sources, id: createUlid(createdAt), role: 'assistant', createdAt }),
    );
}
