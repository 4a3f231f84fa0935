import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ExtractiveAnswer,
  extractiveAnswer,
  statusOfQuotes,
} from '@docent/assistant/extractive/extractive-answer.ts';
import type { ChatModel, ChatRequest, Passage } from '../../ports/chat-model.ts';

/** English text has about four characters per token; this estimate is not used for billing. */
const CHARACTERS_PER_TOKEN = 4;

function estimateTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN);
}

/** The model that needs no key and no network: it answers with quoted passages and says so. */
export function createExtractiveModel(): ChatModel {
  // The sources of an answer are sent before its text. It is computed once for both.
  const answersByPassages = new WeakMap<readonly Passage[], ExtractiveAnswer>();
  const answerTo = (request: ChatRequest): ExtractiveAnswer => {
    const answer = answersByPassages.get(request.passages) ?? extractiveAnswer(request);
    answersByPassages.delete(request.passages);
    return answer;
  };
  return {
    name: 'extractive',
    sourcesOf(request) {
      const answer = extractiveAnswer(request);
      answersByPassages.set(request.passages, answer);
      return answer.sources;
    },
    async *stream(request, signal) {
      if (signal.aborted) return;
      const { pieces, ...answer } = answerTo(request);
      for (const text of pieces) {
        // Other requests get their turn between two pieces.
        await nextTurn();
        if (signal.aborted) return;
        yield { type: 'text', text };
      }
      const inputTokens = estimateTokens([
        ...request.turns.map((turn) => turn.text),
        ...request.passages.map((passage) => passage.content),
      ]);
      if (signal.aborted) return;
      const usage = { inputTokens, outputTokens: estimateTokens(pieces) };
      yield {
        type: 'finish',
        reason: 'stop',
        usage,
        status: statusOfQuotes(answer),
        quotes: answer.quotes,
      };
    },
  };
}
