import type { FastifyReply, FastifyRequest } from 'fastify';

/** Enough for a long conversation with its sources. */
const MAX_READ_BYTES = 1024 * 1024;

/**
 * The error handler of an operation that chat clients call. `useChat` of the AI SDK shows the body
 * of an error unchanged to the reader, accepts any type, and is recognized only by the
 * identifier of the chat in the body of its request: it gets the sentence alone. Errors are sent by
 * the handler of the application.
 */
export async function asSentence(
  error: Error,
  request: FastifyRequest,
  _reply: FastifyReply,
): Promise<never> {
  const { accept = '*/*' } = request.headers;
  if (accept === '*/*' && isOfUseChat(await bodyOf(request))) request.headers.accept = 'text/plain';
  throw error;
}

function isOfUseChat(body: unknown): boolean {
  const { id, messages } = (body ?? {}) as { id?: unknown; messages?: unknown };
  return typeof id === 'string' && Array.isArray(messages);
}

/** Returns the body, also of a request that was refused before its body was read. */
async function bodyOf({ body, raw }: FastifyRequest): Promise<unknown> {
  const isReadable = !raw.readableEnded && Number(raw.headers['content-length']) <= MAX_READ_BYTES;
  if (body !== undefined || !isReadable) return body;
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
