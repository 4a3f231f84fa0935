import { expect, test } from 'vitest';
import { canMatch, maskOf, needsNothing, requiredText } from './regex-required-text.ts';

function couldMatch(pattern: string, line: string): boolean {
  return canMatch(requiredText(pattern), maskOf(line));
}

test('lines without the required characters of an expression are excluded', () => {
  expect(couldMatch('\\b(import|export)\\b', 'const a = 1')).toBe(false);
  expect(couldMatch('\\b(import|export)\\b', 'export a')).toBe(true);
  expect(couldMatch('(?=\\s*=>)', 'a = b')).toBe(false);
  expect(couldMatch('[@]decorator', 'decorator')).toBe(false);
  expect(couldMatch('(?<=\\.)x', 'x y')).toBe(false);
});

test('optional parts of an expression are not required', () => {
  for (const pattern of [
    '(?:abc)?x',
    '(abc)*x',
    'a{0,2}x',
    'a{,2}x',
    'a??x',
    'a*+x',
    '(?!abc)x',
    '(?<!abc)x',
    'abc|x',
    '(abc|)x',
    '[abc]?x',
    '[^a]*x',
  ]) {
    expect(couldMatch(pattern, 'x'), pattern).toBe(true);
  }
});

test('the operand of an escape is part of the escape', () => {
  for (const pattern of ['\\p{Lu}', '\\x{41}', '\\x41', '\\u0041', '\\k<name>', '\\g<1>', "\\k'a'", '\\h', '\\R', '\\1']) {
    expect(couldMatch(pattern, '#'), pattern).toBe(true);
  }
});

test('character classes are not split, including nested ones', () => {
  for (const pattern of ['[]a]', '[^]a]', '[a[bc]&&[^d]]', '[[:alpha:]_]', '[\\]a]', '[a-z]'])
    expect(needsNothing(requiredText(pattern)), pattern).toBe(true);
  expect(couldMatch('[(]', 'x')).toBe(false);
});

test('an expression with unsupported syntax excludes no line', () => {
  for (const pattern of [
    '(?i)abc',
    '(?i:abc)',
    '(?x) a b c',
    '(?~abc)',
    '(?(1)a|b)',
    '(abc',
    'abc)',
    '[abc',
    'abc\\',
    '(?#note)abc',
    '(?@abc)',
  ]) {
    expect(couldMatch(pattern, ''), pattern).toBe(true);
  }
});

test('many alternatives are processed with limited time and memory', () => {
  const pattern = '(a|b|c|d)'.repeat(50);
  expect(requiredText(pattern).length).toBeLessThanOrEqual(24);
  expect(requiredText('('.repeat(5_000)).length).toBe(1);
});
