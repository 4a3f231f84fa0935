import { isHostname } from '@docent/format/access/site-name.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';

/** How the documentation and error messages describe a setting. */
export interface Setting {
  name: string;
  /** Text of the default value, as a user would write it. */
  default: string;
  /** Valid values, for messages: "a whole number, 1 to 10". */
  expected: string;
  meaning: string;
}

/**
 * The description of each setting, by its schema. `default` is set only if the schema has none or
 * computes it, `expected` only if its values are neither those of a type below, which describes
 * them, nor a list of words.
 */
export const notes = z.registry<Pick<Setting, 'meaning'> & Partial<Setting>>();
const types = z.registry<Pick<Setting, 'expected'>>();

const CHOICES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Returns the settings of a shape with their descriptions. The default comes from the schema, so
 * that the two cannot differ.
 * @throws Error if a setting has no description
 */
export function describeSettings(shape: Record<string, z.ZodType>): Setting[] {
  return Object.entries(shape).map(([name, schema]) => {
    const note = notes.get(schema);
    const type =
      schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
        ? schema.def.innerType
        : schema;
    const choices =
      type instanceof z.ZodEnum ? CHOICES.format(type.options.map(String)) : undefined;
    const expected = note?.expected ?? types.get(type)?.expected ?? choices;
    if (!note || expected === undefined) throw new Error(`The setting ${name} is not described.`);
    const preset = schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : '';
    return { name, default: preset || '<none>', ...note, expected };
  });
}

/** Parses a whole number within bounds. @param unit for messages, such as `seconds` */
export function wholeNumber(min: number, max: number, unit?: string) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .register(types, { expected: `a whole number${unit ? ` of ${unit}` : ''}, ${min} to ${max}` });
}

/** Parses `on` or `off` as a boolean. */
export function onOrOff() {
  return z
    .enum(['on', 'off'])
    .transform((value) => value === 'on')
    .register(types, { expected: 'on or off' });
}

/** Parses a rate: how often something may happen per time. */
export function requestLimit(preset: string, meaning: string) {
  return wholeNumber(1, 1_000_000_000).prefault(preset).register(notes, { meaning });
}

/**
 * Parses a comma-separated list. For `transform`.
 * @param read parses a trimmed entry; undefined if it is invalid
 */
export function listOf<Entry>(read: (entry: string) => Entry | undefined) {
  return (text: string, context: z.RefinementCtx): Entry[] => {
    const entries = text.split(',').map((entry) => read(entry.trim()));
    const validEntries = entries.filter((entry) => entry !== undefined);
    if (validEntries.length < entries.length)
      context.addIssue({ code: 'custom', message: 'not a list' });
    return validEntries;
  };
}

/** Returns a hostname in lower case; undefined for other texts. */
export const readHostname = (text: string) =>
  isHostname(text.toLowerCase()) ? text.toLowerCase() : undefined;

/** Accepts a URL that fits. */
export function urlThat(fits: (url: URL) => boolean) {
  return z.string().refine((text) => {
    const url = URL.parse(text);
    return url !== null && fits(url);
  });
}

/** Returns whether a URL has neither user nor query nor fragment. */
export const isPlain = ({ username, password, search, hash }: URL) =>
  !(username || password || search || hash);

/** Parses an http or https URL without user, query or fragment; removes a trailing slash. */
export function publicUrl() {
  return urlThat((url) => /^https?:$/.test(url.protocol) && isPlain(url))
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
    .register(types, { expected: 'an http or https address without user, query or fragment' });
}

/** Creates the error of a setting that requires another one. */
export function halfSet(name: string, remedy: string): DocentError {
  const message = `${name}: ${remedy}`;
  return new DocentError('invalid_setting', message, { errors: [{ path: `/${name}`, message }] });
}
