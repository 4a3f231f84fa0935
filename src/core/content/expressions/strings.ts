import { inLocale } from './locale.ts';
import { RegexValue } from './regex.ts';
import {
  boundedText,
  type Caller,
  checkArrayLength,
  checkTextLength,
  isCallable,
  joinTexts,
  toText,
  type Value,
} from './value.ts';

type Argument = Value;
type StringMethod = (text: string, args: readonly Argument[], caller: Caller) => Value;

/** Search arguments: anything but a text matches nothing. */
const text = (value: Argument): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const whole = (value: Argument): number | undefined => (value === undefined ? undefined : Number(value));
const count = (value: Argument): number => Math.max(0, Math.trunc(Number(value)) || 0);

function replaceWith(source: string, pattern: string | RegExp, by: Argument, all: boolean, caller: Caller): string {
  let length = source.length;
  const make = (...parts: unknown[]): string => {
    const groups = parts.slice(0, -2).map((part) => (typeof part === 'string' ? part : undefined));
    const made = isCallable(by) ? toText(caller.call(by, groups), caller) : insertGroups(text(by), groups);
    length += made.length;
    checkTextLength(length);
    caller.spend(1 + (made.length >> 8));
    return made;
  };
  return all ? source.replaceAll(pattern, make) : source.replace(pattern, make);
}

/** Expands `$&` and `$1` in a replacement. */
function insertGroups(replacement: string, groups: readonly (string | undefined)[]): string {
  if (!replacement.includes('$')) return replacement;
  return replacement.replace(/\$(?:\$|&|(\d))/g, (mark, digit?: string) => {
    if (mark === '$$') return '$';
    return groups[digit === undefined ? 0 : Number(digit)] ?? '';
  });
}

function replace(source: string, args: readonly Argument[], caller: Caller, all: boolean): string {
  const [pattern, by] = args;
  if (pattern instanceof RegexValue) {
    const expression = pattern.on(source, caller);
    return replaceWith(source, expression, by, pattern.isGlobal, caller);
  }
  return replaceWith(source, text(pattern), by, all, caller);
}

function split(source: string, [separator, limit]: readonly Argument[], caller: Caller): Value {
  if (separator === undefined) return [source];
  const parts = source.split(separator instanceof RegexValue ? separator.on(source, caller) : text(separator), whole(limit));
  checkArrayLength(parts.length);
  caller.spend(parts.length);
  return parts;
}

function pad(source: string, [length, filler]: readonly Argument[], atStart: boolean): string {
  const size = Math.min(count(length), 10_000);
  const fill = filler === undefined ? ' ' : text(filler);
  return atStart ? source.padStart(size, fill) : source.padEnd(size, fill);
}

function repeat(source: string, times: Argument, caller: Caller): string {
  checkTextLength(source.length * count(times));
  return boundedText(source.repeat(count(times)), caller);
}

function match(source: string, pattern: Argument, caller: Caller): Value {
  if (!(pattern instanceof RegexValue)) return source.includes(text(pattern)) ? [text(pattern)] : null;
  const found = source.match(pattern.on(source, caller));
  return found ? [...found] : null;
}

function localeCompare(source: string, [other, ...rest]: readonly Argument[], caller: Caller): number {
  caller.spend(1 + (source.length >> 6));
  return inLocale(rest, (locale, options) => source.localeCompare(text(other), locale, options));
}

/** The string methods that pages may call. */
export const stringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['at', (source, [index]) => source.at(whole(index) ?? 0)],
  ['charAt', (source, [index]) => source.charAt(whole(index) ?? 0)],
  ['charCodeAt', (source, [index]) => source.charCodeAt(whole(index) ?? 0)],
  ['codePointAt', (source, [index]) => source.codePointAt(whole(index) ?? 0)],
  ['concat', (source, args, caller) => joinTexts([source, ...args.map(text)], '', caller)],
  ['endsWith', (source, [part]) => source.endsWith(text(part))],
  ['includes', (source, [part]) => source.includes(text(part))],
  ['indexOf', (source, [part, from]) => source.indexOf(text(part), whole(from))],
  ['lastIndexOf', (source, [part, from]) => source.lastIndexOf(text(part), whole(from))],
  ['localeCompare', localeCompare],
  ['match', (source, [pattern], caller) => match(source, pattern, caller)],
  ['normalize', (source, [form]) => source.normalize(/^NFK?[CD]$/.test(text(form)) ? text(form) : 'NFC')],
  ['padEnd', (source, args) => pad(source, args, false)],
  ['padStart', (source, args) => pad(source, args, true)],
  ['repeat', (source, [times], caller) => repeat(source, times, caller)],
  ['replace', (source, args, caller) => replace(source, args, caller, false)],
  ['replaceAll', (source, args, caller) => replace(source, args, caller, true)],
  ['slice', (source, [start, end]) => source.slice(whole(start), whole(end))],
  ['split', split],
  ['startsWith', (source, [part]) => source.startsWith(text(part))],
  ['substring', (source, [start, end]) => source.substring(whole(start) ?? 0, whole(end))],
  ['toLocaleLowerCase', (source) => source.toLowerCase()],
  ['toLocaleUpperCase', (source) => source.toUpperCase()],
  ['toLowerCase', (source) => source.toLowerCase()],
  ['toString', (source) => source],
  ['toUpperCase', (source) => source.toUpperCase()],
  ['trim', (source) => source.trim()],
  ['trimEnd', (source) => source.trimEnd()],
  ['trimStart', (source) => source.trimStart()],
]);
