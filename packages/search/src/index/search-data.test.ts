import { expect, it } from 'vitest';
import { similarWords } from './search-data.ts';

const words = [
  'authentication',
  'receive',
  'received',
  'receiver',
  'recieve',
  'relieve',
  'webhook',
];

it.each([
  ['a swapped pair', 'recevie', 'receive'],
  ['a missing letter', 'webhok', 'webhook'],
  ['an extra letter', 'webbhook', 'webhook'],
  ['a wrong letter', 'authantication', 'authentication'],
])('a word is found despite %s', (_, typed, wanted) => {
  expect(similarWords(words, typed).map((index) => words[index])).toContain(wanted);
});

it('words with two errors are not found', () => {
  expect(similarWords(words, 'wephhook').map((index) => words[index])).not.toContain('webhook');
  expect(similarWords(['abcdef'], 'abdcfe')).toEqual([]);
});
