import { z } from 'zod';
import { DocentError } from '../core/errors.ts';

/** What the documentation and error messages say about a setting. */
export interface Setting {
  name: string;
  /** Text of the default value, as it would be written. */
  default: string;
  /** What a value must be, for messages: "a whole number from 1 to 10". */
  expected: string;
  meaning: string;
}

/** The description of each setting, by its schema. A `default` is written only where the schema has none or works it out. */
export const notes = z.registry<Omit<Setting, 'name' | 'default'> & { default?: string }>();

/**
 * The settings of a shape, with their descriptions. The default is the schema's own, so that the two cannot differ.
 * @throws Error where a setting has no description
 */
export function describeSettings(shape: Record<string, z.ZodType>): Setting[] {
  return Object.entries(shape).map(([name, schema]) => {
    const note = notes.get(schema);
    if (!note) throw new Error(`The setting ${name} is not described.`);
    const preset = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
    return { name, default: preset || '<none>', ...note };
  });
}

/** Text of a whole number within bounds, as a number. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** `on` or `off`, as a boolean. */
export function onOrOff() {
  return z.enum(['on', 'off']).transform((value) => value === 'on');
}

/** How often something may be done in a time. */
export function requestLimit(preset: string, meaning: string) {
  return wholeNumber(1, 1_000_000_000).prefault(preset).register(notes, { expected: 'a whole number, 1 or more', meaning });
}

/**
 * A list separated by commas. For `transform`.
 * @param read an entry, without space around it; undefined where it is none
 * @param what the entries are, for the message
 */
export function listOf<Entry>(what: string, read: (entry: string) => Entry | undefined) {
  return (text: string, context: z.RefinementCtx): Entry[] => {
    const entries = text.split(',').map((entry) => read(entry.trim()));
    const known = entries.filter((entry) => entry !== undefined);
    if (known.length < entries.length) context.addIssue({ code: 'custom', message: `not a list of ${what}` });
    return known;
  };
}

/** An http or https address without user, query or fragment; a slash at its end is left out. For `transform`. */
export function readPublicUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!plain) context.addIssue({ code: 'custom', message: 'not an address' });
  return text.replace(/(?<!\/)\/+$/, '');
}

/** The fault of a setting that needs another one. */
export function halfSet(name: string, remedy: string): DocentError {
  const message = `${name}: ${remedy}`;
  return new DocentError('invalid_setting', message, { errors: [{ path: `/${name}`, message }] });
}
