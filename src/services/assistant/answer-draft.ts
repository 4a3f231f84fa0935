import type { AnswerEvent, AnswerOutcome, TokenUsage, ToolResult } from '../../core/assistant/answer-event.ts';
import { errorMessage } from '../../core/error-message.ts';
import type { Deps } from '../deps.ts';
import { type AnswerRecord, recordAnswer } from './conversation.ts';

/** Number of pieces that are joined into one flat string at a time. */
const MAX_PIECES = 64;

/**
 * A text that grows by small pieces. Appending to a string keeps every piece alive beside the whole, which for thousands of long
 * answers is most of the memory; here the newest pieces are joined periodically, and joined text is not copied again.
 */
export class GrowingText {
  readonly #joined: string[];
  #newest: string[] = [];

  constructor(beginning = '') {
    this.#joined = [beginning];
  }

  add(piece: string): void {
    this.#newest.push(piece);
    if (this.#newest.length < MAX_PIECES) return;
    this.#joined.push(this.#newest.join(''));
    this.#newest = [];
  }

  get text(): string {
    return this.#joined.join('') + this.#newest.join('');
  }
}

/** An answer in progress. */
export type Draft = ReturnType<typeof openAnswerDraft>;

/** How an answer ended, for the metrics of the server. */
export interface AnswerReport {
  model: string;
  outcome: AnswerOutcome;
  usage: TokenUsage | undefined;
  /** Null without a text. */
  firstTextMs: number | null;
}

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
  { threadId, messageId, continues, continued, model, onEnd }: DraftOptions,
) {
  const sources = new Map<string, { title: string; url: string }>();
  const startedAt = performance.now();
  const passedMs = () => Math.round(performance.now() - startedAt);
  const content = new GrowingText(continued);
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
    /** Records the pages that a tool returned, and returns those that are new. */
    *newSources(result: ToolResult): Iterable<AnswerEvent> {
      for (const { url, title } of pagesOf(result)) {
        if (sources.has(url)) continue;
        sources.set(url, { title, url });
        yield { type: 'source', id: `source-${sources.size}`, url, title };
      }
    },
    /**
     * Stores the answer, once, under the model, or under `writtenBy` if another one wrote it. A storage error is logged: it must
     * not cost the reader the answer.
     */
    async store(outcome: AnswerOutcome, usage?: TokenUsage, writtenBy = model): Promise<void> {
      if (stored) return;
      stored = true;
      onEnd({ model: writtenBy, outcome, usage, firstTextMs });
      const { inputTokens = null, outputTokens = null } = usage ?? {};
      const answer: AnswerRecord = {
        threadId,
        messageId,
        continues,
        content: content.text,
        sources: [...sources.values()],
        status: outcome === 'aborted' || outcome === 'failed' ? 'incomplete' : 'complete',
        model: writtenBy,
        inputTokens,
        outputTokens,
        outcome,
        firstTextMs,
        durationMs: passedMs(),
      };
      await recordAnswer(deps, answer).catch((error: unknown) => {
        const reason = errorMessage(error);
        deps.logger.error({ threadId, reason }, 'an answer could not be stored');
      });
      isStored();
    },
  };
}

function pagesOf(result: ToolResult): { url: string; title: string }[] {
  if (result.name === 'search') return result.results.map(({ url, metadata }) => ({ url, title: metadata.title }));
  if (result.name !== 'read_page') return [];
  return result.url === undefined ? [] : [{ url: result.url, title: result.title ?? result.path }];
}
