import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { asText, type ExportRow } from '../exported-rows.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };

/** The parameter that chooses the format of exported rows. */
export const ROW_FORMATS = z.enum(['csv', 'ndjson']).default('csv').describe('Format of the rows.');

/** Returns the declared response of an operation that exports rows. */
export function rowsAnswer(example: string) {
  const description = 'The rows, as `text/csv` or `application/x-ndjson`.';
  const schema = z.any().meta({ description, examples: [example] });
  return {
    description,
    content: Object.fromEntries(Object.values(TYPES).map((type) => [type, { schema }])),
  };
}

/**
 * Streams rows as a file to save.
 * @param name of the file, without its ending
 */
export function sendRows(
  reply: FastifyReply,
  {
    name,
    format,
    rows,
  }: { name: string; format: keyof typeof TYPES; rows: AsyncIterable<ExportRow> },
): FastifyReply {
  return reply
    .type(TYPES[format])
    .header('content-disposition', `attachment; filename="${name}.${format}"`)
    .serializer((payload) => payload as string)
    .send(Readable.from(asText(rows, format)));
}
