import type { AnswerExtras } from '@docent/assistant/chat/answer-event.ts';
import { fill } from '../../translations/fill.ts';
import type { AssistantMessages } from '../../translations/translations.ts';
import { type AskBody, type AssistantClient, RefusedError } from './assistant-client.ts';
import type { Conversation, Turn } from './conversations.ts';

/** Maximum earlier turns that are sent with a question, and characters of each. */
const SENT_TURNS = 5;
const SENT_CHARACTERS = 6000;

type Message = AskBody['messages'][number];

function message(id: string, role: Message['role'], text: string): Message {
  return { id, role, parts: [{ type: 'text', text: text.slice(0, SENT_CHARACTERS) }] };
}

/** Returns the conversation up to a question, in the server's format. */
export function messagesUpTo(turns: readonly Turn[], turn: Turn): Message[] {
  const at = turns.indexOf(turn);
  const earlier = turns
    .slice(Math.max(0, at - SENT_TURNS), at)
    .filter(({ answer }) => answer !== '');
  return [
    ...earlier.flatMap((earlierTurn) => [
      message(earlierTurn.id, 'user', earlierTurn.question),
      message(earlierTurn.answerId ?? `${earlierTurn.id}-a`, 'assistant', earlierTurn.answer),
    ]),
    message(turn.id, 'user', turn.question),
  ];
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Returns a duration in the largest unit that it fills twice, rounded up: `5 min`, `24 hr`. */
export function waitingTime(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds >= 2 * unitSeconds) ?? [
    'minute',
    60,
  ];
  const count = Math.max(1, Math.ceil(seconds / size));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(
    count,
  );
}

function faultText(error: unknown, texts: AssistantMessages, language: string): string {
  if (!(error instanceof RefusedError)) return texts.offline;
  if (error.code === 'rate_limited')
    return fill(texts.limited, { time: waitingTime(error.retryAfterSeconds, language) });
  return error.code === 'assistant_disabled' ? texts.disabled : texts.failed;
}

export interface RunOptions {
  client: AssistantClient;
  conversation: Conversation;
  turn: Turn;
  /** Request data besides the conversation itself. */
  about: Pick<AskBody, 'fp' | 'currentPath' | 'filter'>;
  texts: AssistantMessages;
  /** BCP 47 tag of the texts. */
  language: string;
  signal: AbortSignal;
  /** Called after each change of the turn. */
  onChange: (status: string) => void;
}

const MAX_STEP_LENGTH = 60;

/**
 * Asks a question, and streams the answer into the turn. Never throws: errors become the state of
 * the turn.
 */
export async function runTurn({
  client,
  conversation,
  turn,
  about,
  texts,
  language,
  signal,
  onChange,
}: RunOptions): Promise<void> {
  Object.assign(turn, {
    answer: '',
    sources: [],
    state: 'writing',
    fault: undefined,
    helpful: undefined,
    answerId: undefined,
    next: undefined,
    quotes: undefined,
    waitDays: undefined,
    waits: undefined,
  });
  let status = texts.searching;
  onChange(status);
  try {
    const { threadId, threadKey } = conversation;
    const messages = messagesUpTo(conversation.turns, turn);
    const begun = await client.ask(
      { ...about, messages, threadId, threadKey, context: turn.context },
      signal,
    );
    if (begun.threadId !== undefined) conversation.threadId = begun.threadId;
    if (begun.threadKey !== undefined) conversation.threadKey = begun.threadKey;
    for await (const chunk of begun.chunks) {
      if (chunk.type === 'start') turn.answerId = chunk.messageId;
      else if (chunk.type === 'text-delta') turn.answer += chunk.delta;
      else if (chunk.type === 'source-url')
        turn.sources.push({ title: chunk.title, url: chunk.url });
      else if (chunk.type === 'finish') Object.assign(turn, finished(chunk.messageMetadata));
      else if (chunk.type === 'error')
        Object.assign(turn, { state: 'failed', fault: texts.failed });
      if (chunk.type === 'tool-input-available')
        status = `${texts.searching} ${shortened(aboutOf(chunk.input))}`;
      else if (chunk.type === 'source-url') status = texts.writing;
      onChange(status);
    }
    if (turn.state === 'writing') Object.assign(turn, { state: 'failed', fault: texts.offline });
  } catch (error) {
    if (signal.aborted) turn.state = 'stopped';
    else Object.assign(turn, { state: 'failed', fault: faultText(error, texts, language) });
  }
  onChange(status);
}

function finished({ nextQuestions: next, quotes, waitDays }: AnswerExtras = {}): Partial<Turn> {
  return {
    state: 'done',
    ...(next && { next }),
    ...(quotes && { quotes }),
    ...(waitDays && { waitDays }),
  };
}

/** The argument of a tool call that is shown, as the model wrote it: a query, a path. */
function aboutOf(input: unknown): string {
  const { query, text, path } = (input ?? {}) as Record<string, unknown>;
  return (
    [query, text, path].find(
      (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
    ) ?? ''
  );
}

/** One line of the panel. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_STEP_LENGTH ? `${line.slice(0, MAX_STEP_LENGTH)}…` : line;
}
