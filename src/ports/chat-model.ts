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

/**
 * Answers in parts: text and reasoning, then one `finish`. Aborting `signal` ends the iteration at once, without a
 * `finish`; a fault of the model throws.
 */
export interface ChatModel {
  /** Shown in metrics and stored with answers. */
  readonly name: string;
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
}
