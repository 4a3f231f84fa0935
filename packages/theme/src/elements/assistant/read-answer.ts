import type { AnswerExtras } from '@docent/assistant/chat/answer-event.ts';

/**
 * The parts of an answer's stream that the panel and the dashboard use (the UI message stream
 * protocol).
 */
export type AnswerChunk =
  | { type: 'start'; messageId: string }
  | { type: 'tool-input-available'; input: unknown }
  | { type: 'source-url'; url: string; title: string }
  | { type: 'text-delta'; delta: string }
  | { type: 'error'; errorText: string }
  | { type: 'finish'; messageMetadata?: AnswerExtras };

/** Parses a stream of server-sent events, however the network splits it. */
export async function* readAnswer(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<AnswerChunk> {
  // Not every browser supports iterating over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  // Data after the end is ignored, but read: a canceled connection looks like an error.
  let isDone = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (waiting + read.value).split('\n');
      waiting = lines.pop() as string;
      for (const line of lines) {
        if (isDone || !line.startsWith('data:')) continue;
        const data = line.slice('data:'.length).trim();
        isDone = data === '[DONE]';
        if (!isDone) yield JSON.parse(data) as AnswerChunk;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
