import { errorMessage } from '@docent/format/error-message.ts';
import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';
import { maxBytesOfAnswer } from '../model-client/bounded-answer.ts';
import { createStreamedPost } from '../model-client/streamed-post.ts';

/**
 * Interval between network reads of an answer: as often as readers see a change, and less often
 * with many answers, since each read costs a write.
 */
const READ_EVERY_MS = { least: 25, most: 80, forEachAnswer: 1 / 4 };

/** Parses the stream of one answer. Bytes are Latin-1, one character each. */
export interface Completion {
  /** Whether the model finished its answer. */
  readonly isComplete: boolean;
  /** The error that the model reported, or why the stream does not follow its protocol. */
  readonly fault: ProviderFault | undefined;
  push(pieces: readonly string[]): ChatPart[];
  /** Returns what is known at the end. */
  end(): ChatPart[];
  /** The end of an answer that is cut because it is too long. */
  cut(): ChatPart;
}

interface StreamedModelOptions
  extends Pick<
    LanguageModelChoice,
    'apiKey' | 'inputTokens' | 'maxOutputTokens' | 'silenceSeconds' | 'takesImages' | 'thinks'
  > {
  name: string;
  /** Address to which questions are posted. */
  url: URL;
  /** Media type of the stream. */
  accept: string;
  ca?: string | undefined;
  bodyFor: (request: ChatRequest) => object | Promise<object>;
  openCompletion: () => Completion;
}

/**
 * A language model that streams its answer over HTTP. It has its own connections, because thousands
 * of answers may be streamed at once.
 */
export function createStreamedModel(options: StreamedModelOptions): ChatModel {
  const { name, inputTokens, takesImages, thinks, apiKey } = options;
  let openAnswers = 0;
  const maxBytes = maxBytesOfAnswer(options.maxOutputTokens);
  const post = createStreamedPost({
    url: options.url,
    headers: {
      'content-type': 'application/json',
      accept: options.accept,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    readEveryMs: () =>
      Math.round(
        Math.min(
          READ_EVERY_MS.most,
          Math.max(READ_EVERY_MS.least, openAnswers * READ_EVERY_MS.forEachAnswer),
        ),
      ),
    ca: options.ca,
  });

  async function* stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart> {
    if (signal.aborted) return;
    const { traceparent } = request;
    const body = JSON.stringify(await options.bodyFor(request));
    if (signal.aborted) return;
    const answer = post(body, traceparent === undefined ? {} : { traceparent });
    const hangUp = () => answer.hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    let isSilent = false;
    const silence = setTimeout(() => {
      isSilent = true;
      hangUp();
    }, options.silenceSeconds * 1000);
    openAnswers++;
    try {
      const status = await answer.status();
      if (status !== 200) throw faultOfStatus('The model', status, answer.retryAfter);
      const completion = options.openCompletion();
      let bytes = 0;
      for (let pieces = await answer.next(); pieces; pieces = await answer.next()) {
        for (const piece of pieces) bytes += piece.length;
        const parts = completion.push(pieces);
        // Comments that only keep the connection open are silence.
        if (parts.length > 0) silence.refresh();
        for (const part of parts) {
          yield part;
          if (signal.aborted) return;
        }
        // Text from before the error is emitted first.
        if (completion.fault !== undefined) throw completion.fault;
        // What was said remains; what is still to come has no end.
        if (bytes > maxBytes) return yield completion.cut();
      }
      if (!completion.isComplete)
        throw new ProviderFault('busy', 'The model stopped before the end of its response.');
      yield* completion.end();
    } catch (error) {
      if (isSilent) throw new ProviderFault('silent', 'The model did not respond in time.');
      if (!signal.aborted) throw faultOf(error);
    } finally {
      openAnswers--;
      clearTimeout(silence);
      signal.removeEventListener('abort', hangUp);
      hangUp();
    }
  }

  return { name, inputTokens, takesImages, thinks, stream };
}

/** Network errors on the way to the model may not occur next time. */
function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  return new ProviderFault('busy', `The model could not be used: ${errorMessage(error)}`);
}

/** Parses an event; undefined if it is not a JSON object. */
export function readEvent(data: string): Record<string, unknown> | undefined {
  try {
    const event: unknown = JSON.parse(data);
    return typeof event === 'object' && event !== null
      ? (event as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a number of tokens; 0 if it is none. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
