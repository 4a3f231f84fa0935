import { expect, test } from 'vitest';
import { narrowJson, narrowText } from './narrow-signs.ts';

test('characters beyond Latin-1 are escaped in ASCII, and all text is decoded unchanged', () => {
  expect(narrowText('Suche… <größer> → 検索').value).toBe(
    'Suche&#8230; &lt;größer&gt; &#8594; 検索',
  );
  const json = narrowJson(
    JSON.stringify({ nothing: 'No results for “{query}”', word: '検索', emoji: '😀' }),
  );
  expect(json).toContain('\\u201c{query}\\u201d');
  expect(JSON.parse(json)).toEqual({
    nothing: 'No results for “{query}”',
    word: '検索',
    emoji: '😀',
  });
});
