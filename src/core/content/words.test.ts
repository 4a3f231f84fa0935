import { expect, test } from 'vitest';
import { anchorLink, translateWords, wordMark, wordNamed } from './words.ts';

test('words of ours are written in the language of the page, and nothing of the marks is left', () => {
  const markup = `<h2>${wordMark('body')}</h2>${wordMark('properties', '3 properties')}<p>Body</p>`;
  expect(translateWords(markup, (name, english) => `${name}/${english}`)).toBe(
    '<h2>body/Body</h2>properties/3 properties<p>Body</p>',
  );
  expect(translateWords(anchorLink('a').value, () => 'Zu "A"')).toBe(
    '<a class="d-anchor" href="#a" aria-label="Zu &quot;A&quot;"></a>',
  );
});

test('a translation never becomes markup, and a mark that names no word is what it says', () => {
  expect(translateWords(wordMark('or'), () => '<b>')).toBe('&lt;b&gt;');
  expect(translateWords('<!--w:toString-->x<!--/w-->', () => 'y')).toBe('x');
});

test('a heading is a word of ours by its English text', () => {
  expect([wordNamed('Body'), wordNamed('Pets')]).toEqual(['body', undefined]);
});
