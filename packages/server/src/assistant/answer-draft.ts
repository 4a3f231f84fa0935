import { answerBasis, type ReadPassage, readPassage } from '@docent/assistant/answer-basis.ts';
import type {
  AnswerEvent,
  AnswerOutcome,
  TokenUsage,
  ToolCall,
  ToolResult,
} from '@docent/assistant/chat/answer-event.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Deps } from '../kernel/deps.ts';
import type { AnswerReport } from '../kernel/process-state.ts';
import { type AnswerRecord, recordAnswer } from './conversation.ts';

/** Number of pieces that are joined into one flat string at a time. */
const MAX_PIECES = 64;

/**
 * A text that grows by small pieces. Appending to a string keeps every piece alive beside the
 * whole, which for thousands of long answers is most of the memory; here the newest pieces are
 * joined periodically, and joined text is not copied again.
 */
export class GrowingText {
  readonly #pieces: string[] = [];
  #added = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.#added += 1;
    if (this.#added % MAX_PIECES === 0)
      this.#pieces.push(this.#pieces.splice(-MAX_PIECES).join(''));
  }

  get text(): string {
    return this.#pieces.join('');
  }
}

/** An answer in progress. */
export type Draft = ReturnType<typeof openAnswerDraft>;

interface DraftOptions {
  threadId: string;
  messageId: string;
  /** The answer was started by an earlier request. */
  continues: boolean;
  /** Its text from before this request. */
  continued: string;
  model: string;
  onEnd: (report: AnswerReport) => void;
}

export function openAnswerDraft(
  deps: Pick<Deps, 'clock' | 'logger' | 'threadWrites'>,
  { continued, model, onEnd, ...place }: DraftOptions,
) {
  const lookups: ToolCall[] = [];
  const passages: ReadPassage[] = [];
  const sources = new Map<string, { title: string; url: string }>();
  const startedAt = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAt);
  const content = new GrowingText();
  content.add(continued);
  let firstTextMs: number | null = null;
  let stored = false;
  const isStored = deps.threadWrites.expect();
  return {
    /** The text so far, including that of an earlier request. */
    get text(): string {
      return content.text;
    },
    add(text: string): void {
      content.add(text);
      firstTextMs ??= passedMs();
    },
    /** Records what the assistant looked up, and the sections that it read of it. */
    basedOn(lookup: ToolCall, sections: readonly ReadPassage[]): void {
      lookups.push(lookup);
      passages.push(...sections);
    },
    /**
     * Records the pages of a tool's result that the answer is based on, and returns those that are
     * new.
     */
    *newSources(result: ToolResult): Iterable<AnswerEvent> {
      for (const { url, title } of pagesOf(result)) {
        const page = url.split('#', 1)[0] as string;
        if (sources.has(page)) continue;
        sources.set(page, { title, url });
        yield { type: 'source', id: `source-${sources.size}`, url, title };
      }
    },
    /**
     * Stores the answer, once, under the model, or under `writtenBy` if another one wrote it. A
     * storage error is logged: it must not cost the reader the answer.
     */
    async store(outcome: AnswerOutcome, usage?: TokenUsage, writtenBy = model): Promise<void> {
      if (stored) return;
      stored = true;
      onEnd({ model: writtenBy, outcome, usage, firstTextMs });
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const answer: AnswerRecord = {
        ...place,
        content: content.text,
        sources: [...sources.values()],
        basis: answerBasis({ lookups, passages }, content.text),
        status: outcome === 'aborted' || outcome === 'failed' ? 'incomplete' : 'complete',
        model: writtenBy,
        inputTokens,
        outputTokens,
        ...storedOutcome(outcome),
        firstTextMs,
        durationMs: passedMs(),
      };
      await recordAnswer(deps, answer).catch((error: unknown) => {
        const reason = errorMessage(error);
        deps.logger.error({ threadId: place.threadId, reason }, 'an answer could not be stored');
      });
      isStored();
    },
  };
}

/** The previous version reads `outcome`, which has fewer words. */
function storedOutcome(outcome: AnswerOutcome): Pick<AnswerRecord, 'outcome' | 'coverage'> {
  if (outcome === 'aborted' || outcome === 'failed') return { outcome };
  return { outcome: outcome === 'answered' ? outcome : 'not_in_docs', coverage: outcome };
}

/** Returns what a model read of a tool's result. */
export function readOf(result: ToolResult): ReadPassage[] {
  if (result.name === 'search') return result.results.map(readPassage);
  return pagesOf(result).map((page) => ({ ...page, headings: [], score: null }));
}

function pagesOf(result: ToolResult): { url: string; title: string }[] {
  if (result.name === 'search')
    return result.results
      .filter(({ metadata }) => metadata.used)
      .map(({ url, metadata }) => ({ url, title: metadata.title }));
  if (result.name !== 'read_page') return [];
  return result.url === undefined ? [] : [{ url: result.url, title: result.title ?? result.path }];
}
