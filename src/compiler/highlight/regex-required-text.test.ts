import { expect, test } from 'vitest';
import { canMatch, maskOf, needsNothing, requiredText } from './regex-required-text.ts';

function couldMatch(pattern: string, line: string): boolean {
  return canMatch(requiredText(pattern), maskOf(line));
}

test('lines that lack the characters of an expression are ruled out', () => {
  expect(couldMatch('\\b(import|export)\\b', 'const a = 1')).toBe(false);
  expect(couldMatch('\\b(import|export)\\b', 'export a')).toBe(true);
  expect(couldMatch('(?=\\s*=>)', 'a = b')).toBe(false);
  expect(couldMatch('[@]decorator', 'decorator')).toBe(false);
  expect(couldMatch('(?<=\\.)x', 'x y')).toBe(false);
});

test('what may be absent is not requested', () => {
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

test('what follows a letter after a backslash belongs to it', () => {
  for (const pattern of ['\\p{Lu}', '\\x{41}', '\\x41', '\\u0041', '\\k<name>', '\\g<1>', "\\k'a'", '\\h', '\\R', '\\1']) {
    expect(couldMatch(pattern, '#'), pattern).toBe(true);
  }
});

test('classes are not taken apart, nor what is in classes in them', () => {
  for (const pattern of ['[]a]', '[^]a]', '[a[bc]&&[^d]]', '[[:alpha:]_]', '[\\]a]', '[a-z]'])
    expect(needsNothing(requiredText(pattern)), pattern).toBe(true);
  expect(couldMatch('[(]', 'x')).toBe(false);
});

test('an expression with syntax that is not followed rules nothing out', () => {
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

test('many alternatives are still read in bounded time and space', () => {
  const pattern = '(a|b|c|d)'.repeat(50);
  expect(requiredText(pattern).length).toBeLessThanOrEqual(24);
  expect(requiredText('('.repeat(5_000)).length).toBe(1);
});
