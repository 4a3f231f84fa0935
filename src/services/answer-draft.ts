import type { AnswerEvent, AnswerOutcome, TokenUsage, ToolResult } from '../core/assistant/answer-event.ts';
import type { Deps } from './deps.ts';
import { type AnswerRecord, recordAnswer } from './record-turns.ts';

/** An answer as it grows. */
export interface Draft {
  add(text: string): void;
  /** Takes note of the pages that a tool gave, and tells of those that are new. */
  newSources(result: ToolResult): Iterable<AnswerEvent>;
  /** Stores the answer, once. A fault in storing is logged: it must not cost the reader the answer. */
  store(outcome: AnswerOutcome, usage?: TokenUsage): Promise<void>;
}

/** @param options.continued what was written of the answer before this request */
export function openAnswerDraft(
  deps: Pick<Deps, 'database' | 'clock' | 'logger'>,
  { threadId, continued, model }: { threadId: string; continued: string; model: string },
): Draft {
  const sources = new Map<string, { title: string; url: string }>();
  const startedAt = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAt);
  let content = continued;
  let firstTextMs: number | null = null;
  let stored = false;
  return {
    add(text) {
      content += text;
      firstTextMs ??= passedMs();
    },
    *newSources(result) {
      for (const { url, title } of pagesOf(result)) {
        if (sources.has(url)) continue;
        sources.set(url, { title, url });
        yield { type: 'source', id: `source-${sources.size}`, url, title };
      }
    },
    async store(outcome, usage) {
      if (stored) return;
      stored = true;
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const answer: AnswerRecord = {
        threadId,
        content,
        sources: [...sources.values()],
        status: outcome === 'aborted' || outcome === 'failed' ? 'incomplete' : 'complete',
        model,
        inputTokens,
        outputTokens,
        outcome,
        firstTextMs,
        durationMs: passedMs(),
      };
      await recordAnswer(deps, answer).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        deps.logger.error({ threadId, reason }, 'an answer was not stored');
      });
    },
  };
}

function pagesOf(result: ToolResult): { url: string; title: string }[] {
  if (result.name === 'search') return result.results.map(({ url, metadata }) => ({ url, title: metadata.title }));
  return result.url === undefined ? [] : [{ url: result.url, title: result.title ?? result.path }];
}
