import type { FinishReason, TokenUsage, ToolCall } from '../core/assistant/answer-event.ts';
import type { ChatRequest } from '../core/assistant/chat-request.ts';

export type { ChatRequest, ChatTurn, Passage } from '../core/assistant/chat-request.ts';

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Only where the request allows tools; the caller runs them and asks again with the results. */
  | { type: 'tool-call'; id: string; call: ToolCall }
  /** `answered` is false where the model knows that the documentation has no answer. */
  | { type: 'finish'; reason: FinishReason; usage: TokenUsage; answered?: boolean };

/** Hears an answer part by part. Where it gives a promise, the next part waits for it. */
export type PartListener = (part: ChatPart) => Promise<void> | undefined;

export interface ChatModel {
  /** Shown in metrics and stored with answers. */
  readonly name: string;
  /** Whether it reads the pictures of a question. */
  readonly takesImages?: boolean;
  /**
   * The paths of the pages that the answer will rest on, where the model knows them beforehand: only these are shown as sources.
   * Without it, all pages that were found are.
   */
  sourcesOf?(request: ChatRequest): readonly string[];
  /**
   * Answers in parts: text and reasoning, then one `finish`. Resolves when all was said, or at once and without a `finish` where
   * `signal` is aborted. @throws ProviderFault where the model fails
   */
  stream(request: ChatRequest, onPart: PartListener, signal: AbortSignal): Promise<void>;
}
