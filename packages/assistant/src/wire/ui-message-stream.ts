import type { AnswerEvent, AnswerWire, ToolCall, ToolResult } from '../chat/answer-event.ts';

/** Encoding options of a client. */
export interface UiMessageStreamOptions {
  /** Omits `finishReason` of `finish`, which the first releases of AI SDK 5 fail on. */
  minimal: boolean;
  /**
   * Repeats the thread's id as a key of `finish`. Optional, because releases before July 2026 fail
   * on unknown keys.
   */
  threadIdOnFinish: boolean;
}

/** Headers of the UI message stream protocol of AI SDK 5 to 7. Proxies must not buffer chunks. */
const headers: Record<string, string> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-vercel-ai-ui-message-stream': 'v1',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** The kinds of text that a client collects in separate parts. */
type Writing = 'text' | 'reasoning';

/**
 * Encodes one answer as server-sent events of the UI message stream protocol, version 1. Uses only
 * chunk types and keys that every release of AI SDK 5, 6 and 7 accepts, because older ones fail on
 * anything else. The thread's id is in the metadata of
 * `start`, so that it is known even after an error, and again in that of `finish`, with the suggested next questions: some
 * clients fail on parts that they do not know.
 */
export function uiMessageStream(options: UiMessageStreamOptions): AnswerWire {
  let open: Writing | undefined;
  let partCount = 0;

  /**
   * Text and reasoning are parts that must be opened and closed: a client fails on a delta of a
   * part that is not open.
   */
  function close(): string {
    if (open === undefined) return '';
    const closed = chunk({ type: `${open}-end`, id: `${open}-${partCount}` });
    open = undefined;
    return closed;
  }

  function write(kind: Writing, text: string): string {
    if (text === '') return '';
    let out = '';
    if (open !== kind) {
      out = close();
      open = kind;
      out += chunk({ type: `${kind}-start`, id: `${kind}-${++partCount}` });
    }
    return out + chunk({ type: `${kind}-delta`, id: `${kind}-${partCount}`, delta: text });
  }

  function encode(event: AnswerEvent): string {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return write(event.type, event.text);
      case 'start': {
        const start = {
          type: 'start',
          messageId: event.messageId,
          messageMetadata: { threadId: event.threadId },
        };
        return chunk(start) + chunk({ type: 'start-step' });
      }
      case 'tool-call':
        return close() + toolCall(event.toolCallId, event.call);
      case 'tool-result':
        return toolResult(event.toolCallId, event.result);
      case 'source':
        return chunk({
          type: 'source-url',
          sourceId: event.id,
          url: event.url,
          title: event.title,
        });
      case 'error':
        return close() + chunk({ type: 'error', errorText: event.message }) + DONE;
      case 'finish':
        return close() + encodeFinish(event, options);
    }
  }

  return { headers, keepalive: ': keep-alive\n\n', protocol: 'ui-message-stream', encode };
}

const DONE = 'data: [DONE]\n\n';

function chunk(value: Record<string, unknown>): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function toolCall(toolCallId: string, { name: toolName, input }: ToolCall): string {
  return (
    chunk({ type: 'tool-input-start', toolCallId, toolName }) +
    chunk({ type: 'tool-input-available', toolCallId, toolName, input })
  );
}

function toolResult(toolCallId: string, { name: type, ...output }: ToolResult): string {
  return chunk({ type: 'tool-output-available', toolCallId, output: { type, ...output } });
}

function encodeFinish(
  event: Extract<AnswerEvent, { type: 'finish' }>,
  options: UiMessageStreamOptions,
): string {
  const { reason, threadId, usage, nextQuestions, quotes, waitDays } = event;
  const finish = {
    type: 'finish',
    finishReason: options.minimal ? undefined : reason,
    messageMetadata: {
      threadId,
      finishReason: reason,
      usage,
      nextQuestions,
      quotes: quotes?.length ? quotes : undefined,
      waitDays,
    },
    threadId: options.threadIdOnFinish ? threadId : undefined,
  };
  return chunk({ type: 'finish-step' }) + chunk(finish) + DONE;
}
