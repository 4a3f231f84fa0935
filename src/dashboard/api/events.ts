import { ApiError, request } from './client.ts';

const RETRY_MS = 2000;

/**
 * Reads server-sent events of an operation until the server ends them. Reconnects when the connection breaks. (`EventSource`
 * cannot send the header that names the organization.)
 * @returns a function that stops it
 */
export function followEvents(path: string, onEvent: (data: string, type: string) => void): () => void {
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const response = await request(path, { signal: stop.signal, headers: { accept: 'text/event-stream' } });
        for await (const { data, type } of eventsOf(response)) onEvent(data, type);
        return;
      } catch (error) {
        // A request that the server refused would be refused again.
        if (error instanceof ApiError && error.status < 500) return;
        if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  void follow();
  return () => stop.abort();
}

/** The used fields of each event in a response (HTML Living Standard, 9.2.6), without events that have no data. */
export async function* eventsOf({ body }: Response): AsyncGenerator<{ data: string; type: string }> {
  let rest = '';
  for await (const text of (body as NonNullable<typeof body>).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
      const data = field('data').join('\n');
      if (data !== '') yield { data, type: field('event')[0] ?? 'message' };
    }
  }
}
