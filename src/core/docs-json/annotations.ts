import type { z } from 'zod';

/** Annotations of the schema; `json-schema.ts` reads them. */
interface Annotations {
  description?: string;
  /** A short form, as JSON Schema. */
  'x-also'?: object;
  /** What applies instead of an ineffective setting: for all its values or for some texts. */
  'x-no-effect'?: string | Record<string, string>;
}

function annotated<S extends z.ZodType>(schema: S, annotations: Annotations): S {
  return schema.meta({ ...schema.meta(), ...annotations });
}

/** Describes a setting for editors and the reference. */
export function about<S extends z.ZodType>(schema: S, description: string): S {
  return annotated(schema, { description });
}

/** Declares a short form that authors may write; the schema converts it to the long form. */
export function orShort<S extends z.ZodType>(schema: S, short: object): S {
  return annotated(schema, { 'x-also': short });
}

/**
 * Marks a setting, or some of its values, as accepted but ineffective; the report names it.
 * @param instead a sentence that says what applies instead
 */
export function withoutEffect<S extends z.ZodType>(schema: S, instead: string | Record<string, string>): S {
  return annotated(schema, { 'x-no-effect': instead });
}

/** The short form of most settings: one text. */
export const SHORT_TEXT = { type: 'string' };
