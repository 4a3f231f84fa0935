import { expect, it } from 'vitest';
import { similarWords } from './similar-words.ts';

const words = ['authentication', 'receive', 'received', 'receiver', 'recieve', 'relieve', 'webhook'];

it.each([
  ['a swapped pair', 'recevie', 'receive'],
  ['a missing letter', 'webhok', 'webhook'],
  ['a letter too many', 'webbhook', 'webhook'],
  ['a wrong letter', 'authantication', 'authentication'],
])('finds a word in spite of %s', (_, typed, wanted) => {
  expect(similarWords(words, typed).map((index) => words[index])).toContain(wanted);
});

it('does not take two errors for one', () => {
  expect(similarWords(words, 'wephhook').map((index) => words[index])).not.toContain('webhook');
  expect(similarWords(['abcdef'], 'abdcfe')).toEqual([]);
});
