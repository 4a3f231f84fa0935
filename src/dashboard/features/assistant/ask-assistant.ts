import { organisationHeader } from '../../api/client.ts';
import { eventOf } from '../../api/events.ts';
import { problemOf } from '../../api/problem.ts';

export interface Source {
  url: string;
  title: string;
}

interface Listener {
  onText: (text: string) => void;
  onSource: (source: Source) => void;
}

/** The used parts of an answer stream (UI message stream). */
interface Chunk {
  type: string;
  delta?: string;
  url?: string;
  title?: string;
  errorText?: string;
  messageMetadata?: { threadId?: string };
}

/**
 * Asks the assistant of a site as the signed-in user.
 * @returns the thread, for the next question
 * @throws ApiError, or an Error if the answer failed
 */
export async function askAssistant(
  domain: string,
  question: string,
  threadId: string | undefined,
  listener: Listener,
): Promise<string | undefined> {
  const message = { id: crypto.randomUUID?.() ?? String(Date.now()), role: 'user', parts: [{ type: 'text', text: question }] };
  const response = await fetch(`/discovery/v2/assistant/${encodeURIComponent(domain)}/message`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...organisationHeader() },
    body: JSON.stringify({ fp: 'dashboard', messages: [message], ...(threadId !== undefined && { threadId }) }),
  });
  if (!response.ok || !response.body) throw await problemOf(response);
  let thread = threadId;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const { data } = eventOf(block);
      if (data === '' || data === '[DONE]') continue;
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.type === 'error') throw new Error(chunk.errorText);
      if (chunk.type === 'text-delta' && chunk.delta !== undefined) listener.onText(chunk.delta);
      if (chunk.type === 'source-url' && chunk.url !== undefined)
        listener.onSource({ url: chunk.url, title: chunk.title ?? chunk.url });
      thread = chunk.messageMetadata?.threadId ?? thread;
    }
  }
  return thread;
}
