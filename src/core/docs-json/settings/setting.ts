import type { z } from 'zod';

/** One top-level setting of docs.json: how to check it and what holds where it is absent or wrong. */
export interface Setting<T> {
  schema: z.ZodType<T>;
  fallback: T;
  /** The format requires it, so leaving it out deserves a warning. */
  required?: boolean;
}
