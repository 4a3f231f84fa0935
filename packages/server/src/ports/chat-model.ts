import type {
  AnswerQuote,
  FinishReason,
  TokenUsage,
  ToolCall,
} from '@docent/assistant/chat/answer-event.ts';
import type { AnswerStatus } from '@docent/assistant/chat/answer-status.ts';
import type { ChatRequest } from '@docent/assistant/chat/chat-request.ts';

export type { ChatRequest, ChatTurn, Passage } from '@docent/assistant/chat/chat-request.ts';

export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Only if the request allows tools; the caller runs them and calls again with the results. */
  | { type: 'tool-call'; id: string; call: ToolCall }
  /**
   * `status` is set by a model that knows it; others close their text with a mark. `quotes` are the block quotes of its text.
   */
  | {
      type: 'finish';
      reason: FinishReason;
      usage: TokenUsage;
      status?: AnswerStatus;
      quotes?: readonly AnswerQuote[];
    };

export interface ChatModel {
  /** Shown in metrics and stored with answers. */
  readonly name: string;
  /** Maximum tokens of a question with its passages; absent if it reads all of them. */
  readonly inputTokens?: number;
  /** Whether it reads the images of a question. */
  readonly takesImages?: boolean;
  /**
   * Its text begins with reasoning that has a closing tag only; it is never shown as the answer.
   */
  readonly thinks?: boolean;
  /**
   * Returns the paths of the pages that the answer will be based on, if the model knows them
   * beforehand: only these are shown as sources. If absent, all pages that were found are.
   */
  sourcesOf?(request: ChatRequest): readonly string[];
  /**
   * Answers in parts: text and reasoning, then one `finish`. Ends when the answer is complete, or
   * immediately without a `finish` if `signal` is aborted. The model is read no faster than the
   * parts are taken. @throws ProviderFault if the model fails
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
}
