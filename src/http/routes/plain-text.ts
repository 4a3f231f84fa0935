import { z } from 'zod';

/** Text for the database: PostgreSQL has no U+0000 in text, and nobody means it. */
export function plainText(minLength: number, maxLength: number) {
  return z
    .string()
    .min(minLength)
    .max(maxLength)
    .regex(/^[^\u0000]*$/, 'must not hold the character U+0000');
}
