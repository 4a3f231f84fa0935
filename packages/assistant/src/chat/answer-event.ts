import { ANSWER_STATUSES } from './answer-status.ts';

/**
 * The protocol-neutral stream of an answer. `server/assistant/answer-question.ts` emits it; the
 * encoders in `wire/` translate it to the protocol of a client. Order: `start`, then the built-in
 * search (`tool-call`, `tool-result`, `source`*), then the output of the model:
 * (`reasoning`|`text`|further `tool-call`, `tool-result`, `source`*)*, then `finish`, or `error`
 * and nothing after it.
 */
export type AnswerEvent =
  | { type: 'start'; messageId: string; threadId: string }
  | { type: 'tool-call'; toolCallId: string; call: ToolCall }
  | { type: 'tool-result'; toolCallId: string; result: ToolResult }
  | { type: 'source'; id: string; url: string; title: string }
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'error'; message: string }
  | ({ type: 'finish'; reason: FinishReason; usage: TokenUsage; threadId: string } & AnswerExtras);

/** What an answer comes with, besides its text. */
export interface AnswerExtras {
  /** What the reader may ask next. */
  nextQuestions?: NextQuestions | undefined;
  /** The quotes that an answer without a language model consists of. */
  quotes?: readonly AnswerQuote[] | undefined;
  /**
   * The documentation has no answer, and the reader may leave an address to be told of one, which
   * is kept for this many days at most.
   */
  waitDays?: number | undefined;
}

/** A block quote of an answer: they come in the same order. */
export interface AnswerQuote {
  /** URL of the quoted section. */
  url: string;
  /** The sentence in it that answers, as Markdown; empty if it has none. */
  highlight: string;
  /** The whole section as Markdown, if the quote leaves out something. */
  section?: string;
}

/** What a reader may ask next. */
export interface NextQuestions {
  /**
   * `choices` are the meanings that the question has here; `follow-ups` are about the same subject.
   */
  kind: 'choices' | 'follow-ups';
  /** Each can be asked as it is; the documentation answers it. */
  questions: string[];
}

export type ToolCall =
  | { name: 'search'; input: { query: string } }
  | { name: 'read_page'; input: { path: string } }
  /** Lists the pages below a folder; all pages without one. */
  | { name: 'list_pages'; input: { path: string } }
  /** Finds the lines that contain a text verbatim. */
  | { name: 'grep'; input: { text: string; path: string } };

export type ToolResult =
  | { name: 'search'; results: RetrievedPage[] }
  /** `content` says so if there is no such page. */
  | { name: 'read_page'; path: string; url?: string; title?: string; content: string }
  | { name: 'list_pages' | 'grep'; content: string };

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** One retrieved page as clients see it in the result of the `search` tool. */
export interface RetrievedPage {
  /** Markdown of the matching sections. */
  content: string;
  /** Page path without a leading slash. */
  path: string;
  /** URL if the site has one, with the anchor of the best section. */
  url: string;
  metadata: {
    title: string;
    score: number;
    version?: string;
    language?: string;
    /** The answer is based on it. Never set in the results of the search operation. */
    used?: true;
  };
}

/** The outcomes of an answer, for the site's owners: how far it answers, or why it ended before. */
export const ANSWER_OUTCOMES = [...ANSWER_STATUSES, 'aborted', 'failed'] as const;
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];
/** That of older answers was not stored. */
export const STORED_OUTCOMES = [...ANSWER_OUTCOMES, 'unknown'] as const;
export type StoredOutcome = (typeof STORED_OUTCOMES)[number];

/** Encodes one answer in the protocol of its client. Stateful, so each answer has its own. */
export interface AnswerWire {
  /** Names the protocol in metrics. */
  protocol: string;
  headers: Record<string, string>;
  /** A keep-alive that clients ignore, sent while there is no output. */
  keepalive: string;
  /**
   * Returns whole lines or events for one event of the answer; empty if the protocol has no
   * counterpart.
   */
  encode(event: AnswerEvent): string;
}
