import { z } from 'zod';
import { DocentError } from '../core/errors.ts';

/** How the documentation and error messages describe a setting. */
export interface Setting {
  name: string;
  /** Text of the default value, as a user would write it. */
  default: string;
  /** Valid values, for messages: "a whole number from 1 to 10". */
  expected: string;
  meaning: string;
}

/** The description of each setting, by its schema. `default` is set only if the schema has none or computes it. */
export const notes = z.registry<Omit<Setting, 'name' | 'default'> & { default?: string }>();

/**
 * Returns the settings of a shape with their descriptions. The default comes from the schema, so that the two cannot differ.
 * @throws Error if a setting has no description
 */
export function describeSettings(shape: Record<string, z.ZodType>): Setting[] {
  return Object.entries(shape).map(([name, schema]) => {
    const note = notes.get(schema);
    if (!note) throw new Error(`The setting ${name} is not defined.`);
    const preset = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
    return { name, default: preset || '<none>', ...note };
  });
}

/** Parses a whole number within bounds. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** Parses `on` or `off` as a boolean. */
export function onOrOff() {
  return z.enum(['on', 'off']).transform((value) => value === 'on');
}

/** Parses a rate: how often something may happen per time. */
export function requestLimit(preset: string, meaning: string) {
  return wholeNumber(1, 1_000_000_000).prefault(preset).register(notes, { expected: 'a whole number, 1 or more', meaning });
}

/**
 * Parses a comma-separated list. For `transform`.
 * @param read parses a trimmed entry; undefined if it is invalid
 * @param what the name of the entries, for the message
 */
export function listOf<Entry>(what: string, read: (entry: string) => Entry | undefined) {
  return (text: string, context: z.RefinementCtx): Entry[] => {
    const entries = text.split(',').map((entry) => read(entry.trim()));
    const known = entries.filter((entry) => entry !== undefined);
    if (known.length < entries.length) context.addIssue({ code: 'custom', message: `not a list of ${what}` });
    return known;
  };
}

/** Parses an http or https URL without user, query or fragment; removes a trailing slash. For `transform`. */
export function readPublicUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!plain) context.addIssue({ code: 'custom', message: 'not an address' });
  return text.replace(/(?<!\/)\/+$/, '');
}

/** Creates the error of a setting that requires another one. */
export function halfSet(name: string, remedy: string): DocentError {
  const message = `${name}: ${remedy}`;
  return new DocentError('invalid_setting', message, { errors: [{ path: `/${name}`, message }] });
}
