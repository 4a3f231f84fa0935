import type { AnswerEvent, AnswerWire, ToolCall, ToolResult } from '../answer-event.ts';

/** Headers of an answer in the AI SDK data stream protocol, version 1. Proxies must not buffer chunks. */
const headers: Record<string, string> = {
  'content-type': 'text/plain; charset=utf-8',
  'x-vercel-ai-data-stream': 'v1',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * Encodes one answer as whole lines `CODE:JSON\n` of the AI SDK data stream protocol, version 1. The thread's id is sent at the
 * start, so that it is known even after an error, and again at the end in every form that a client may look for. The suggested
 * next questions are a key of that last annotation, because some clients fail on parts and annotations that they do not know.
 * @param options.minimal omits the parts that the oldest client releases fail on (`h:`)
 */
export function dataStream(options: { minimal: boolean }): AnswerWire {
  // Clients of the protocol ignore an empty line.
  return { headers, keepalive: '\n', protocol: 'data-stream', encode: (event) => encode(event, options) };
}

function encode(event: AnswerEvent, { minimal }: { minimal: boolean }): string {
  switch (event.type) {
    case 'text':
      return event.text === '' ? '' : line('0', event.text);
    case 'reasoning':
      return event.text === '' ? '' : line('g', event.text);
    case 'start':
      return line('f', { messageId: event.messageId }) + line('8', [threadNote(event.threadId)]);
    case 'tool-call':
      return toolCall(event.toolCallId, event.call);
    case 'tool-result':
      return toolResult(event.toolCallId, event.result);
    case 'source':
      return minimal ? '' : line('h', { sourceType: 'url', id: event.id, url: event.url, title: event.title });
    case 'error':
      return line('3', event.message);
    case 'finish':
      return encodeFinish(event);
  }
}

function line(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}

/**
 * Some clients read their sources from the result of the tool `search`, an array; others from any result of the form `{type:
 * "search", results}`. Therefore every search is sent in both forms.
 */
const SEARCH_AS_OBJECT = { toolName: 'search_results', idEnd: '-results' };

function toolCall(toolCallId: string, { name, input }: ToolCall): string {
  const call = line('9', { toolCallId, toolName: name, args: input });
  if (name !== 'search') return call;
  const { toolName, idEnd } = SEARCH_AS_OBJECT;
  return call + line('9', { toolCallId: toolCallId + idEnd, toolName, args: input });
}

function toolResult(toolCallId: string, { name, ...output }: ToolResult): string {
  if (!('results' in output)) return line('a', { toolCallId, result: output });
  const asObject = { type: name, ...output };
  return (
    line('a', { toolCallId, result: output.results }) +
    line('a', { toolCallId: toolCallId + SEARCH_AS_OBJECT.idEnd, result: asObject })
  );
}

function threadNote(threadId: string): object {
  return { type: 'finish', threadId };
}

function encodeFinish({ reason, usage, threadId, nextQuestions }: Extract<AnswerEvent, { type: 'finish' }>): string {
  const counted = { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens };
  const note = threadNote(threadId);
  return (
    line('e', { finishReason: reason, usage: counted, isContinued: false }) +
    line('8', [{ ...note, nextQuestions }]) +
    line('2', [note]) +
    line('d', { finishReason: reason, usage: counted, type: 'finish', threadId })
  );
}
