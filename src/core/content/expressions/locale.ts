import { ExpressionError } from './error.ts';
import { ObjectValue, type Value } from './value.ts';

/**
 * Calls a method of the language that takes a locale and options, as authors pass them. Without a locale, it is American English, on every
 * machine.
 */
export function inLocale<T>([locale, options]: readonly Value[], run: (locale: string, options: object) => T): T {
  const isPlain = (one: Value) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean';
  const given = options instanceof ObjectValue ? [...options.fields].filter(([, one]) => isPlain(one)) : [];
  try {
    return run(typeof locale === 'string' ? locale : 'en-US', Object.fromEntries(given));
  } catch (error) {
    throw new ExpressionError('failed', error instanceof Error ? error.message : 'the locale is unknown');
  }
}
