import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';

/** A hundred long vectors as decimal text are a few megabytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface JsonEndpoint {
  url: string;
  apiKey?: string | undefined;
  /** Begins messages: `The embedding model`. */
  what: string;
}

/**
 * Sends JSON to a model and gives the JSON that it answers. Redirects are not followed: they would carry the key elsewhere.
 * @throws ProviderFault; the signal's reason where it was aborted
 */
export async function postJson({ url, apiKey, what }: JsonEndpoint, body: object, signal: AbortSignal): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal, redirect: 'manual' });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw faultOfStatus(what, answer.status, answer.headers.get('retry-after'));
    }
    return JSON.parse(await readText(answer, what));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderFault) throw error;
    if (error instanceof SyntaxError) throw new ProviderFault('refused', `${what} answered with something that is no JSON.`);
    throw new ProviderFault('busy', `${what} could not be reached.`);
  }
}

async function readText(answer: Response, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new ProviderFault('too-much', `${what} answered with more than can be meant.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
