import type { AnswerEvent, AnswerWire, ToolResult } from '../chat/answer-event.ts';
import type { AssistantQuestion } from '../chat/chat-request.ts';

/** Encoding options of a client. */
export interface DataStreamOptions {
  /** Omits the parts that the oldest client releases fail on (`h:`). */
  minimal: boolean;
  /** The form of the results of a search: an array, or `{type: "search", results}`. */
  searchForm: AssistantQuestion['searchForm'];
}

/**
 * Headers of an answer in the AI SDK data stream protocol, version 1. Proxies must not buffer
 * chunks.
 */
const headers: Record<string, string> = {
  'content-type': 'text/plain; charset=utf-8',
  'x-vercel-ai-data-stream': 'v1',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * Encodes one answer as whole lines `CODE:JSON\n` of the AI SDK data stream protocol, version 1.
 * The thread's id is sent at the start, so that it is known even after an error, and again at the
 * end in every form that a client may look for. The suggested next questions are a key of that last
 * annotation, because some clients fail on parts and annotations that they do not know.
 */
export function dataStream(options: DataStreamOptions): AnswerWire {
  // Clients of the protocol ignore an empty line.
  return {
    headers,
    keepalive: '\n',
    protocol: 'data-stream',
    encode: (event) => encode(event, options),
  };
}

function encode(event: AnswerEvent, options: DataStreamOptions): string {
  switch (event.type) {
    case 'text':
      return event.text === '' ? '' : line('0', event.text);
    case 'reasoning':
      return event.text === '' ? '' : line('g', event.text);
    case 'start':
      return line('f', { messageId: event.messageId }) + line('8', [threadNote(event.threadId)]);
    case 'tool-call':
      return line('9', {
        toolCallId: event.toolCallId,
        toolName: event.call.name,
        args: event.call.input,
      });
    case 'tool-result':
      return toolResult(event.toolCallId, event.result, options);
    case 'source':
      return options.minimal
        ? ''
        : line('h', { sourceType: 'url', id: event.id, url: event.url, title: event.title });
    case 'error':
      return line('3', event.message);
    case 'finish':
      return encodeFinish(event);
  }
}

function line(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}

function toolResult(
  toolCallId: string,
  { name: type, ...output }: ToolResult,
  { searchForm }: DataStreamOptions,
): string {
  if (!('results' in output)) return line('a', { toolCallId, result: output });
  return line('a', {
    toolCallId,
    result: searchForm === 'object' ? { type, ...output } : output.results,
  });
}

function threadNote(threadId: string): object {
  return { type: 'finish', threadId };
}

function encodeFinish({
  reason,
  usage,
  threadId,
  nextQuestions,
}: Extract<AnswerEvent, { type: 'finish' }>): string {
  const counted = { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens };
  const note = threadNote(threadId);
  return (
    line('e', { finishReason: reason, usage: counted, isContinued: false }) +
    line('8', [{ ...note, nextQuestions }]) +
    line('2', [note]) +
    line('d', { finishReason: reason, usage: counted, type: 'finish', threadId })
  );
}
