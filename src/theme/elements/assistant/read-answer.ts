/** What a panel needs of an answer's stream (the UI message stream protocol). */
export type AnswerChunk =
  | { type: 'start'; messageId: string; threadId: string | undefined }
  /** What is searched or read now, as the model wrote it. */
  | { type: 'step'; about: string }
  | { type: 'source'; url: string; title: string }
  | { type: 'text'; text: string }
  | { type: 'error'; message: string }
  | { type: 'finish' };

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The words that a tool was called with: a query, a path. */
function aboutOf(input: unknown): string {
  const { query, path, text: wanted } = (input ?? {}) as Record<string, unknown>;
  return text(query) || text(wanted) || text(path);
}

/** Reads one event; undefined for kinds that a panel does not show. */
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
      return { type: 'finish' };
    default:
      return undefined;
  }
}

/** The events of a stream of server-sent events, wherever the network cuts it. */
export async function* readAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerChunk> {
  const decoder = new TextDecoder();
  let waiting = '';
  // What follows the end says nothing, but is read: a connection that is cut looks like a fault.
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

/** The pieces of a body; not every browser can go through a stream by itself. */
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
