import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';
import { EndlessAnswer, MAX_JSON_ANSWER_BYTES } from './bounded-answer.ts';
import { proxiedFetch } from './environment-proxy.ts';

interface JsonEndpoint {
  url: string;
  apiKey?: string | undefined;
  /** Start of messages: `The embedding model`. */
  what: string;
}

/**
 * Returns a function that sends JSON to a model and returns the JSON response. It keeps its
 * connections to the environment's proxy. Redirects are not followed: they would send the key
 * elsewhere. The function throws a ProviderFault, or the signal's reason if it was aborted.
 */
export function createJsonPost({ url, apiKey, what }: JsonEndpoint) {
  const send = proxiedFetch();
  const common = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return async (body: object, signal: AbortSignal, traceparent?: string): Promise<unknown> => {
    const headers = { ...common, ...(traceparent !== undefined && { traceparent }) };
    try {
      const answer = await send(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
        redirect: 'manual',
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        throw faultOfStatus(what, answer.status, answer.headers.get('retry-after'));
      }
      return JSON.parse(await readText(answer, what));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderFault) throw error;
      if (error instanceof SyntaxError)
        throw new ProviderFault('refused', `${what} returned a response that is not JSON.`);
      throw new ProviderFault('busy', `${what} could not be reached.`);
    }
  };
}

async function readText(answer: Response, what: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_JSON_ANSWER_BYTES) throw new EndlessAnswer(what);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
