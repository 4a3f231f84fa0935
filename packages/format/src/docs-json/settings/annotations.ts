import type * as z from 'zod';

/** A top-level setting of docs.json: its check and its default. */
export interface Setting<T> {
  /** Editors and the reference show its descriptions. */
  schema: z.ZodType<T>;
  fallback: T;
  /** Required by the format, so a missing value causes a warning. */
  required?: boolean;
}

/** The subset of JSON Schema (draft 2020-12) that the schema of docs.json uses. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  default?: unknown;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  'x-also'?: JsonSchema;
  'x-no-effect'?: string | Record<string, string>;
}

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

/** @param fallback its value if it is absent or invalid; by default, none */
export function setting<T>(
  schema: z.ZodType<T>,
  description: string,
  fallback: NoInfer<T>,
  options?: Pick<Setting<T>, 'required'>,
): Setting<T>;
export function setting<T>(schema: z.ZodType<T>, description: string): Setting<T | undefined>;
export function setting<T>(
  schema: z.ZodType<T>,
  description: string,
  fallback?: T,
  options: Pick<Setting<T>, 'required'> = {},
): Setting<T | undefined> {
  return { schema: about(schema, description), fallback, ...options };
}

/** Declares a short form that authors may write; the schema converts it to the long form. */
export function orShort<S extends z.ZodType>(schema: S, short: object): S {
  return annotated(schema, { 'x-also': short });
}

/**
 * Marks a setting, or some of its values, as accepted but ineffective; the report names it.
 * @param instead a sentence that says what applies instead
 */
export function withoutEffect<S extends z.ZodType>(
  schema: S,
  instead: string | Record<string, string>,
): S {
  return annotated(schema, { 'x-no-effect': instead });
}

/** The short form of most settings: one text. */
export const SHORT_TEXT = { type: 'string' };
