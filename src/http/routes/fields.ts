import { z } from 'zod';

/** Text for the database: PostgreSQL does not support U+0000 in text, and no one needs it. */
export function plainText(minLength: number, maxLength: number) {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .regex(/^[^\u0000]*$/, 'must not contain the character U+0000');
}

/** A time in a response: use cases return a `Date`, readers get ISO 8601 in UTC. */
export const isoTime = z
  .codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
  .meta({ type: 'string', format: 'date-time', pattern: z.regexes.datetime({}).source });
