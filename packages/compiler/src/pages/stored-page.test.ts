import type { PageContent } from '@docent/format/build/site-build.ts';
import { expect, test } from 'vitest';
import { readStoredPage, writeStoredPage } from './stored-page.ts';

const page = (text: string): PageContent => ({
  html: `<p>${text}</p>`,
  aside: '',
  toc: [{ depth: 2, id: 'a', text: 'A\nB' }],
  markdown: `# ${text}\n\n${text}\n`,
  elements: ['docent-tabs'],
});

test.each([
  'ASCII',
  'Überzug',
  '“quoted” … 漢字 🎉',
  '\ufeffmark',
  '',
  '\n\n',
  'x'.repeat(400_000),
])('a stored page is read unchanged, with any characters in its texts (%#)', (text) => {
  expect(readStoredPage(writeStoredPage(page(text)))).toEqual(page(text));
  expect(readStoredPage(writeStoredPage({ ...page(text), scripts: ['a.js'] }))).toEqual({
    ...page(text),
    scripts: ['a.js'],
  });
});

test('a text of a stored page keeps a byte order mark at its start', () => {
  expect(readStoredPage(writeStoredPage({ ...page(''), markdown: '\ufeff# A' })).markdown).toBe(
    '\ufeff# A',
  );
});

test('writing a page does not change a page that was written before', () => {
  const first = writeStoredPage(page('first'));
  writeStoredPage(page('second'));
  expect(readStoredPage(first)).toEqual(page('first'));
});

test('a page in the older format, which is plain JSON, can be read', () => {
  const stored = new TextEncoder().encode(JSON.stringify(page('old …\nlines')));
  expect(readStoredPage(stored)).toEqual(page('old …\nlines'));
});

test('a page of an older build is read with the names that the present styles have, and a present one as it is', () => {
  const html = '<div class="d-card card x"><p class="d-card-title">d-card-title</p></div>';
  const text = (value: string) => new TextEncoder().encode(value);
  const older = `{"toc":[],"elements":[],"bytes":[${html.length},0,0]}\n${html}`;
  const present = '<div class="d-card card x"><p class="d-box-title">d-card-title</p></div>';
  expect(readStoredPage(text(older)).html).toBe(present);
  expect(readStoredPage(text(JSON.stringify({ ...page(''), html }))).html).toBe(present);
  expect(readStoredPage(writeStoredPage({ ...page(''), html })).html).toBe(html);
});
