import { z } from 'zod';

/** Text for the database: PostgreSQL does not support U+0000 in text, and no one needs it. */
export function plainText(minLength: number, maxLength: number) {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .regex(/^[^\u0000]*$/, 'must not contain the character U+0000');
}
