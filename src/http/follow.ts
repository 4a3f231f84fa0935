import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { DocentError } from '../core/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { eventHeaders, type OpenStream, openStream } from './streams.ts';

/** Work whose state is stored in a row, whichever process does it. */
export interface Followed<Row extends { id: string }> {
  read: () => Promise<Row>;
  everyMs: number;
  /** Sends what has changed since the last call. */
  send: (stream: OpenStream, row: Row) => void;
  hasEnded: (row: Row) => boolean;
  /** Logged with the id and the reason if the row cannot be read. */
  failure: string;
}

/**
 * Streams the progress of work as server-sent events until it has ended, its row is deleted, or the client leaves. The row is read
 * once before the response begins, so that a request for a missing one fails.
 */
export async function follow<Row extends { id: string }>(
  reply: FastifyReply,
  logger: Logger,
  { read, everyMs, send, hasEnded, failure }: Followed<Row>,
): Promise<void> {
  let row = await read();
  const stream = openStream(reply, { headers: eventHeaders, keepalive: ': keepalive\n\n' });
  try {
    while (!stream.isClosed) {
      send(stream, row);
      if (hasEnded(row)) return;
      await stream.ready();
      await wait(everyMs);
      try {
        row = await read();
      } catch (error) {
        if (error instanceof DocentError && error.kind === 'not-found') return;
        // The database may be back in a moment; the reader keeps waiting.
        logger.warn({ id: row.id, error: String(error) }, failure);
      }
    }
  } finally {
    stream.end();
  }
}
