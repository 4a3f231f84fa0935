import type { AnswerEvent } from '../answer-event.ts';

/** Headers of an answer in the AI SDK data stream protocol, version 1. Nothing on the way may hold chunks back. */
export const dataStreamHeaders: Record<string, string> = {
  'content-type': 'text/plain; charset=utf-8',
  'x-vercel-ai-data-stream': 'v1',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Readers of the protocol pass over an empty line. */
export const dataStreamKeepalive = '\n';

export interface DataStreamOptions {
  /** Leaves out the parts that the oldest client releases fail on (`h:`). */
  minimal: boolean;
}

/**
 * One event as whole lines `CODE:JSON\n` of the AI SDK data stream protocol, version 1; empty where the protocol has
 * nothing for it. The thread's id is told at the start, so that an error cannot hide it, and again at the end in every
 * form that a client may look for.
 */
export function encodeDataStream(event: AnswerEvent, options: DataStreamOptions): string {
  switch (event.type) {
    case 'text':
      return event.text === '' ? '' : `0:${JSON.stringify(event.text)}\n`;
    case 'reasoning':
      return event.text === '' ? '' : `g:${JSON.stringify(event.text)}\n`;
    case 'start':
      return `f:${JSON.stringify({ messageId: event.messageId })}\n8:${threadNote(event.threadId)}\n`;
    case 'search-call':
      return `9:${JSON.stringify({ toolCallId: event.toolCallId, toolName: 'search', args: { query: event.query } })}\n`;
    case 'search-result':
      return `a:${JSON.stringify({ toolCallId: event.toolCallId, result: event.results })}\n`;
    case 'source':
      return options.minimal
        ? ''
        : `h:${JSON.stringify({ sourceType: 'url', id: event.id, url: event.url, title: event.title })}\n`;
    case 'error':
      return `3:${JSON.stringify(event.message)}\n`;
    case 'finish':
      return encodeFinish(event);
  }
}

function threadNote(threadId: string): string {
  return JSON.stringify([{ type: 'finish', threadId }]);
}

function encodeFinish({ reason, usage, threadId }: Extract<AnswerEvent, { type: 'finish' }>): string {
  const counted = { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens };
  const step = JSON.stringify({ finishReason: reason, usage: counted, isContinued: false });
  const message = JSON.stringify({ finishReason: reason, usage: counted, type: 'finish', threadId });
  const note = threadNote(threadId);
  return `e:${step}\n8:${note}\n2:${note}\nd:${message}\n`;
}
