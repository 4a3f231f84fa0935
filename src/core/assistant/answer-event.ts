/**
 * The neutral stream of an answer. `services/assistant/answer-question.ts` makes it; the encoders in `wire/` put it into the
 * protocol of a client. Order: `start`, then a search of ours (`tool-call`, `tool-result`, `source`*), then what the model does:
 * (`reasoning`|`text`|further `tool-call`, `tool-result`, `source`*)*, then `finish`, or `error` and nothing after it.
 */
export type AnswerEvent =
  | { type: 'start'; messageId: string; threadId: string }
  | { type: 'tool-call'; toolCallId: string; call: ToolCall }
  | { type: 'tool-result'; toolCallId: string; result: ToolResult }
  | { type: 'source'; id: string; url: string; title: string }
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'error'; message: string }
  | { type: 'finish'; reason: FinishReason; usage: TokenUsage; threadId: string };

/**
 * Hears an answer, event by event. Where it gives a promise, the next event waits for it: so a slow reader slows an answer down.
 * It is a callback and no iterator because thousands of answers come in small pieces at once; an iterator costs a dozen promises for each.
 */
export type AnswerListener = (event: AnswerEvent) => Promise<void> | undefined;

/** Emits an answer to one listener, once, until it has ended or was cancelled. */
export type EmitAnswer = (listener: AnswerListener) => Promise<void>;

/** What the assistant may do while it answers. */
export type ToolCall =
  | { name: 'search'; input: { query: string } }
  | { name: 'read_page'; input: { path: string } }
  /** The pages below a folder; all without one. */
  | { name: 'list_pages'; input: { path: string } }
  /** The lines that hold a text as it is written. */
  | { name: 'grep'; input: { text: string; path: string } };

export type ToolResult =
  | { name: 'search'; results: RetrievedPage[] }
  /** `content` says so where there is no such page. */
  | { name: 'read_page'; path: string; url?: string; title?: string; content: string }
  | { name: 'list_pages' | 'grep'; content: string };

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** One retrieved page as clients see it in the result of the `search` tool. */
export interface RetrievedPage {
  /** Markdown of the sections that matched. */
  content: string;
  /** Page path without a leading slash. */
  path: string;
  /** Absolute address where the site has one, with the anchor of the best section. */
  url: string;
  metadata: { title: string; score: number; version?: string; language?: string };
}

/** How an answer ended, for the owners of the site. */
export type AnswerOutcome = 'answered' | 'not_in_docs' | 'aborted' | 'failed';
