import type { AnswerQuote, NextQuestions } from '@docent/assistant/chat/answer-event.ts';
import { randomId, readStored, writeStored } from '../storage.ts';

/** A text that the reader asks about. */
export interface AskContext {
  type: 'code' | 'textSelection';
  value: string;
  path?: string;
}

export interface Source {
  title: string;
  url: string;
}

/** A question and its answer. */
export interface Turn {
  /** Kept on retry, so that the new answer replaces the old one. */
  id: string;
  question: string;
  context: AskContext[];
  /** Markdown received so far. */
  answer: string;
  answerId?: string;
  sources: Source[];
  /** What may be asked next. */
  next?: NextQuestions;
  /** The block quotes of an answer without a language model, in their order. */
  quotes?: readonly AnswerQuote[];
  state: 'writing' | 'done' | 'stopped' | 'failed';
  /** The error to show. */
  fault?: string;
  helpful?: boolean;
  /**
   * The documentation has no answer, and the reader may leave an address, which is kept for this
   * many days at most.
   */
  waitDays?: number;
  /** The reader left an address. */
  waits?: boolean;
}

export interface Conversation {
  id: string;
  startedAt: number;
  threadId?: string;
  /** The secret of the thread, which some sites require. */
  threadKey?: string;
  turns: Turn[];
}

const MAX_CONVERSATIONS = 20;
const MAX_TURNS = 30;
const MAX_CHARACTERS = 300_000;

/** Stores conversations in the browser's storage, which may be unavailable or contain anything. */
export interface Store {
  read(): string | null;
  write(text: string | null): void;
}

function isConversation(value: unknown): value is Conversation {
  const { id, startedAt, turns } = (value ?? {}) as Partial<Conversation>;
  return (
    typeof id === 'string' &&
    typeof startedAt === 'number' &&
    Array.isArray(turns) &&
    turns.every(isTurn)
  );
}

function isTurn(value: unknown): value is Turn {
  const turn = (value ?? {}) as Partial<Turn>;
  const texts = [turn.id, turn.question, turn.answer, turn.state];
  return (
    texts.every((text) => typeof text === 'string') &&
    Array.isArray(turn.sources) &&
    Array.isArray(turn.context)
  );
}

/**
 * Returns the stored conversations, newest first; skips unreadable ones. An answer that was
 * streaming when the page closed counts as stopped.
 */
export function readConversations(store: Store): Conversation[] {
  let kept: unknown;
  try {
    kept = JSON.parse(store.read() ?? '[]');
  } catch {
    return [];
  }
  const conversations = Array.isArray(kept) ? kept.filter(isConversation) : [];
  for (const turn of conversations.flatMap(({ turns }) => turns))
    if (turn.state === 'writing') turn.state = 'stopped';
  return conversations;
}

/** Stores a conversation as the newest one, and as many of the others as fit. */
export function keepConversation(store: Store, conversation: Conversation): void {
  const others = readConversations(store).filter(({ id }) => id !== conversation.id);
  const newest = { ...conversation, turns: conversation.turns.slice(-MAX_TURNS) };
  const kept: string[] = [];
  let characters = 0;
  for (const entry of [newest, ...others].slice(0, MAX_CONVERSATIONS)) {
    const text = JSON.stringify(entry);
    characters += text.length;
    if (characters > MAX_CHARACTERS && kept.length > 0) break;
    kept.push(text);
  }
  store.write(`[${kept.join()}]`);
}

const KEY = 'docent-reader';

/**
 * Returns a random id of this browser, so that a reader can continue a conversation; it does not
 * identify them.
 */
export function readerId(): string {
  const storedId = readStored('local', KEY);
  if (storedId && /^[\w-]{8,64}$/.test(storedId)) return storedId;
  const newId = randomId(16);
  writeStored('local', KEY, newId);
  return newId;
}
