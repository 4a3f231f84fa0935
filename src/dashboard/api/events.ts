import { organisationHeader } from './client.ts';

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
        await readEvents(path, onEvent, stop.signal);
        return;
      } catch {
        if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  void follow();
  return () => stop.abort();
}

async function readEvents(path: string, onEvent: (data: string, type: string) => void, signal: AbortSignal): Promise<void> {
  const response = await fetch(path, {
    signal,
    credentials: 'same-origin',
    headers: { accept: 'text/event-stream', ...organisationHeader() },
  });
  // A request that the server refused would be refused again.
  if (response.status >= 400 && response.status < 500) return;
  if (!response.ok || !response.body) throw new Error(`The server returned ${response.status}.`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const { data, type } = eventOf(block);
      if (data !== '') onEvent(data, type);
    }
  }
}

/** The used fields of an event (HTML Living Standard, 9.2.6). */
export function eventOf(block: string): { data: string; type: string } {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  return { data: field('data').join('\n'), type: field('event')[0] ?? 'message' };
}
