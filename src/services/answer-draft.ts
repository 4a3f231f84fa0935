import type { AnswerEvent, TokenUsage, ToolResult } from '../core/assistant/answer-event.ts';
import type { Deps } from './deps.ts';
import { recordAnswer } from './record-turns.ts';

/** An answer as it grows. */
export interface Draft {
  add(text: string): void;
  /** Takes note of the pages that a tool gave, and tells of those that are new. */
  newSources(result: ToolResult): Iterable<AnswerEvent>;
  /** Stores the answer, once. A fault in storing is logged: it must not cost the reader the answer. */
  store(status: 'complete' | 'incomplete', usage?: TokenUsage): Promise<void>;
}

/** @param options.continued what was written of the answer before this request */
export function openAnswerDraft(
  deps: Pick<Deps, 'database' | 'clock' | 'logger' | 'model'>,
  { threadId, continued }: { threadId: string; continued: string },
): Draft {
  const sources = new Map<string, { title: string; url: string }>();
  let content = continued;
  let stored = false;
  return {
    add(text) {
      content += text;
    },
    *newSources(result) {
      for (const { url, title } of pagesOf(result)) {
        if (sources.has(url)) continue;
        sources.set(url, { title, url });
        yield { type: 'source', id: `source-${sources.size}`, url, title };
      }
    },
    async store(status, usage) {
      if (stored) return;
      stored = true;
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const answer = { threadId, content, sources: [...sources.values()], status, model: deps.model.name };
      await recordAnswer(deps, { ...answer, inputTokens, outputTokens }).catch((error: unknown) => {
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
