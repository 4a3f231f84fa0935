import type { z } from 'zod';

/** A top-level setting of docs.json: its check and its default. */
export interface Setting<T> {
  /** Editors and the reference show its descriptions. */
  schema: z.ZodType<T>;
  fallback: T;
  /** Required by the format, so a missing value causes a warning. */
  required?: boolean;
}
