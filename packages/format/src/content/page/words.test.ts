import { expect, test } from 'vitest';
import { anchorLink, translateWords, wordMark, wordNamed } from './words.ts';

test('interface words are written in the language of the page, and no marks remain', () => {
  const markup = `<h2>${wordMark('body')}</h2>${wordMark('properties', '3 properties')}<p>Body</p>`;
  expect(translateWords(markup, (name, english) => `${name}/${english}`)).toBe(
    '<h2>body/Body</h2>properties/3 properties<p>Body</p>',
  );
  expect(translateWords(anchorLink('a').value, () => 'Zu "A"')).toBe(
    '<a class="d-anchor" href="#a" aria-label="Zu &quot;A&quot;"></a>',
  );
});

test('a translation never becomes markup, and an unknown mark keeps its text', () => {
  expect(translateWords(wordMark('or'), () => '<b>')).toBe('&lt;b&gt;');
  expect(translateWords('<!--w:toString-->x<!--/w-->', () => 'y')).toBe('x');
});

test('a heading that is an interface word is recognized by its English text', () => {
  expect([wordNamed('Body'), wordNamed('Pets')]).toEqual(['body', undefined]);
});
