import type { z } from 'zod';

/** One top-level setting of docs.json: how to check it and what holds where it is absent or wrong. */
export interface Setting<T> {
  /** Its descriptions are what editors and the reference show. */
  schema: z.ZodType<T>;
  fallback: T;
  /** The format requires it, so leaving it out deserves a warning. */
  required?: boolean;
}
