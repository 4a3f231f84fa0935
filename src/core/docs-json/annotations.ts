import type { z } from 'zod';

/** What the parts of the schema say beside their shape; `json-schema.ts` reads it. */
interface Annotations {
  description?: string;
  /** A shorter way to write the same, as JSON Schema. */
  'x-also'?: object;
  /** What holds instead of the setting, where it changes nothing: for all its values or for some texts. */
  'x-no-effect'?: string | Record<string, string>;
}

function annotated<S extends z.ZodType>(schema: S, annotations: Annotations): S {
  return schema.meta({ ...schema.meta(), ...annotations });
}

/** Says in editors and in the reference what a setting means. */
export function about<S extends z.ZodType>(schema: S, description: string): S {
  return annotated(schema, { description });
}

/** Says that authors may also write something shorter, which the schema turns into its long form. */
export function orShort<S extends z.ZodType>(schema: S, short: object): S {
  return annotated(schema, { 'x-also': short });
}

/**
 * A setting, or some values of it, that the site reads but does nothing with; the report names it.
 * @param instead a sentence that says what holds instead
 */
export function withoutEffect<S extends z.ZodType>(schema: S, instead: string | Record<string, string>): S {
  return annotated(schema, { 'x-no-effect': instead });
}

/** The short form of most settings: one text. */
export const SHORT_TEXT = { type: 'string' };
