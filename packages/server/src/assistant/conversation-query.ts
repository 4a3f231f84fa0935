import type { TokenUsage } from '@docent/assistant/chat/answer-event.ts';
import type { ChatRequest } from '@docent/assistant/chat/chat-request.ts';
import { queryOf } from '@docent/assistant/model/conversation-query.ts';
import { ModelText } from '@docent/assistant/model/model-text.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { Logger } from '../ports/logger.ts';
import { estimatedUsage } from './model-usage.ts';

/** A reader waits no longer for a better search. */
const MAX_WAIT_MS = 1500;
/** Characters, with reasoning. */
const MAX_REPLY = 4000;

/** What a model wrote to be searched for, and what that cost. */
export interface ConversationQuery {
  query?: string | undefined;
  usage?: TokenUsage | undefined;
}

/**
 * Lets a model write the search of a follow-up. Never throws, and ends in time: without a query,
 * the reader's own words serve.
 */
export async function writeQuery(
  { model, logger }: { model: ChatModel; logger: Logger },
  request: Pick<ChatRequest, 'instructions' | 'turns' | 'passages'>,
  signal: AbortSignal,
): Promise<ConversationQuery> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const reader = new ModelText(model);
  const texts: string[] = [];
  let length = 0;
  let usage: TokenUsage | undefined;
  const take = (parts: ReturnType<ModelText['push']>) => {
    for (const part of parts) if (part.type === 'text') texts.push(part.text);
  };
  try {
    for await (const part of model.stream({ ...request, steps: [], mayUseTools: false }, limit)) {
      if (part.type === 'finish') usage = part.usage;
      if (part.type !== 'text' && part.type !== 'reasoning') continue;
      length += part.text.length;
      if (part.type === 'text') take(reader.push(part.text));
      if (length > MAX_REPLY) break;
    }
    take(reader.end());
  } catch (fault) {
    logger.debug({ model: model.name, reason: errorMessage(fault) }, 'no search was written');
  }
  const isCounted = usage !== undefined && usage.inputTokens + usage.outputTokens > 0;
  const isWhole = !limit.aborted && length <= MAX_REPLY;
  return {
    query: isWhole ? queryOf(texts.join('')) : undefined,
    usage: isCounted || length === 0 ? usage : estimatedUsage(request, 'x'.repeat(length)),
  };
}
