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

/** A question and what was answered. */
export interface Turn {
  /** Kept when the same question is asked again, so that the new answer takes the place of the old one. */
  id: string;
  question: string;
  context: AskContext[];
  /** Markdown, as far as it was written. */
  answer: string;
  /** The answer's id on the server. */
  answerId?: string;
  sources: Source[];
  state: 'writing' | 'done' | 'stopped' | 'failed';
  /** What went wrong, to be shown. */
  fault?: string;
  helpful?: boolean;
}

export interface Conversation {
  id: string;
  startedAt: number;
  threadId?: string;
  /** The secret of the thread, which some sites ask for. */
  threadKey?: string;
  turns: Turn[];
}

const MAX_CONVERSATIONS = 20;
const MAX_TURNS = 30;
const MAX_CHARACTERS = 300_000;

/** Where conversations are kept: the browser's storage, which may be forbidden or hold anything. */
export interface Store {
  read(): string | null;
  write(text: string | null): void;
}

function isConversation(value: unknown): value is Conversation {
  const { id, startedAt, turns } = (value ?? {}) as Partial<Conversation>;
  return typeof id === 'string' && typeof startedAt === 'number' && Array.isArray(turns) && turns.every(isTurn);
}

function isTurn(value: unknown): value is Turn {
  const turn = (value ?? {}) as Partial<Turn>;
  const texts = [turn.id, turn.question, turn.answer, turn.state];
  return texts.every((one) => typeof one === 'string') && Array.isArray(turn.sources) && Array.isArray(turn.context);
}

/** What was kept, newest first; what is not readable is left out. An answer that was being written when the page went is a stopped one. */
export function readConversations(store: Store): Conversation[] {
  let kept: unknown;
  try {
    kept = JSON.parse(store.read() ?? '[]');
  } catch {
    return [];
  }
  const conversations = Array.isArray(kept) ? kept.filter(isConversation) : [];
  for (const turn of conversations.flatMap(({ turns }) => turns)) if (turn.state === 'writing') turn.state = 'stopped';
  return conversations;
}

/** Keeps a conversation as the newest one, and of the others as many as there is room for. */
export function keepConversation(store: Store, conversation: Conversation): void {
  const others = readConversations(store).filter(({ id }) => id !== conversation.id);
  const newest = { ...conversation, turns: conversation.turns.slice(-MAX_TURNS) };
  const kept: string[] = [];
  let characters = 0;
  for (const one of [newest, ...others].slice(0, MAX_CONVERSATIONS)) {
    const text = JSON.stringify(one);
    characters += text.length;
    if (characters > MAX_CHARACTERS && kept.length > 0) break;
    kept.push(text);
  }
  store.write(`[${kept.join()}]`);
}
