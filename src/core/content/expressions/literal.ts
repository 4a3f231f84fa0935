import type { Value } from './value.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const PLAIN_STRING = /^(?:"[^"\\\n]*"|'[^'\\\n]*'|`[^`\\$]*`)$/;
const WORDS = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/**
 * Returns the value of a literal that needs no parser, like most expressions in real pages (`cols={2}`). Wrapped in an object so
 * that `undefined` differs from "not a simple literal".
 */
export function readSimpleLiteral(source: string): { value: Value } | undefined {
  const text = source.trim();
  if (NUMBER.test(text)) return { value: Number(text) };
  if (PLAIN_STRING.test(text)) return { value: text.slice(1, -1) };
  return WORDS.has(text) ? { value: WORDS.get(text) } : undefined;
}
