import { expect, test } from 'vitest';
import { preferredLanguage } from './accept-language.ts';

test.each([
  ['fr-CA,fr;q=0.9,en;q=0.8', ['en', 'fr'], 'fr'],
  ['en;q=0.5, de;q=0.9', ['en', 'de'], 'de'],
  ['pt-BR', ['en', 'pt', 'pt-BR'], 'pt-BR'],
  ['pt-PT', ['en', 'pt-BR'], 'pt-BR'],
  ['zh-CN,zh;q=0.9', ['en', 'cn'], 'cn'],
  ['zh-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
  ['ja', ['en', 'jp'], 'jp'],
  ['it, es;q=0.2', ['en', 'es'], 'es'],
  ['fr;q=0, en', ['fr', 'en'], 'en'],
  ['it', ['en', 'es'], undefined],
  ['*', ['en', 'es'], undefined],
  ['', ['en', 'es'], undefined],
  [undefined, ['en', 'es'], undefined],
  [`${'x,'.repeat(10_000)}fr`, ['en', 'fr'], undefined],
  ['fr;q=2, constructor, __proto__', ['en', 'fr'], undefined],
])('for the header %j and the languages %j a reader prefers %s', (header, languages, expected) => {
  expect(preferredLanguage(header, languages)).toBe(expected);
});
