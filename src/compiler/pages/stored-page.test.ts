import { expect, test } from 'vitest';
import type { PageContent } from '../../core/site-build.ts';
import { readStoredPage, writeStoredPage } from './stored-page.ts';

const page = (text: string): PageContent => ({
  html: `<p>${text}</p>`,
  aside: '',
  toc: [{ depth: 2, id: 'a', text: 'A\nB' }],
  markdown: `# ${text}\n\n${text}\n`,
  elements: ['docent-tabs'],
});

test.each(['ASCII', 'Überzug', '“quoted” … 漢字 🎉', '\ufeffmark', '', '\n\n', 'x'.repeat(400_000)])(
  'a stored page is read as it was written, whatever characters its texts have (%#)',
  (text) => {
    expect(readStoredPage(writeStoredPage(page(text)))).toEqual(page(text));
    expect(readStoredPage(writeStoredPage({ ...page(text), scripts: ['a.js'] }))).toEqual({ ...page(text), scripts: ['a.js'] });
  },
);

test('a text of a stored page keeps a byte order mark at its start', () => {
  expect(readStoredPage(writeStoredPage({ ...page(''), markdown: '\ufeff# A' })).markdown).toBe('\ufeff# A');
});

test('a page that is written does not change those written before', () => {
  const first = writeStoredPage(page('first'));
  writeStoredPage(page('second'));
  expect(readStoredPage(first)).toEqual(page('first'));
});

test('a page of a build from before this format, which is JSON alone, can be read', () => {
  const stored = new TextEncoder().encode(JSON.stringify(page('old …\nlines')));
  expect(readStoredPage(stored)).toEqual(page('old …\nlines'));
});
