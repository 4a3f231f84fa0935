import type { NextQuestions } from '../../../core/assistant/answer-event.ts';

/** The parts of an answer's stream that a panel uses (the UI message stream protocol). */
export type AnswerChunk =
  | { type: 'start'; messageId: string; threadId: string | undefined }
  /** The current search or page, as written by the model. */
  | { type: 'step'; about: string }
  | { type: 'source'; url: string; title: string }
  | { type: 'text'; text: string }
  | { type: 'error'; message: string }
  | { type: 'finish'; next: NextQuestions | undefined };

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The arguments of a tool call that are shown: a query, a path. */
function aboutOf(input: unknown): string {
  const { query, path, text: wanted } = (input ?? {}) as Record<string, unknown>;
  return text(query) || text(wanted) || text(path);
}

/** Parses one event; undefined for kinds that a panel does not show. */
function readChunk(data: string): AnswerChunk | undefined {
  const chunk = JSON.parse(data) as Record<string, unknown>;
  switch (chunk.type) {
    case 'start': {
      const metadata = chunk.messageMetadata as { threadId?: unknown } | undefined;
      return { type: 'start', messageId: text(chunk.messageId), threadId: text(metadata?.threadId) || undefined };
    }
    case 'tool-input-available':
      return { type: 'step', about: aboutOf(chunk.input) };
    case 'source-url':
      return { type: 'source', url: text(chunk.url), title: text(chunk.title) };
    case 'text-delta':
      return { type: 'text', text: text(chunk.delta) };
    case 'error':
      return { type: 'error', message: text(chunk.errorText) };
    case 'finish':
      return { type: 'finish', next: (chunk.messageMetadata as { nextQuestions?: NextQuestions } | undefined)?.nextQuestions };
    default:
      return undefined;
  }
}

/** Parses a stream of server-sent events, however the network splits it. */
export async function* readAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerChunk> {
  const decoder = new TextDecoder();
  let waiting = '';
  // Data after the end is ignored, but read: a canceled connection looks like an error.
  let isDone = false;
  for await (const bytes of body) {
    waiting += decoder.decode(bytes, { stream: true });
    const lines = waiting.split('\n');
    waiting = lines.pop() as string;
    for (const line of lines) {
      if (isDone || !line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      isDone = data === '[DONE]';
      const chunk = isDone ? undefined : readChunk(data);
      if (chunk) yield chunk;
    }
  }
}

/** Iterates over the chunks of a body; not every browser supports iterating a stream. */
export async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
