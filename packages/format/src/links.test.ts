import { expect, test } from 'vitest';
import { html, trustedHtml } from './html.ts';
import { linkMark, resolveMarks } from './links.ts';

test('a mark is replaced by the URL for each use, escaped for its attribute', () => {
  const page = `<a href="${linkMark('page', '/a?x=1&y="2"#z')}">A</a><img src="${linkMark('asset', '/i.png')}">`;
  const resolved = resolveMarks(page, (kind, target) => `${kind}:${target}`);
  expect(resolved).toBe(
    '<a href="page:/a?x=1&amp;y=&quot;2&quot;#z">A</a><img src="asset:/i.png">',
  );
});

test('document text cannot forge a mark', () => {
  const forged = html`<p>${linkMark('page', '/x')}</p>`.value;
  expect(resolveMarks(forged, () => 'https://evil.example')).toBe('<p>P/x</p>');
});

test('text without marks and a mark without an end are unchanged', () => {
  expect(resolveMarks('<p>plain</p>', () => '')).toBe('<p>plain</p>');
  const open = trustedHtml('a\u0001P/x').value;
  expect(resolveMarks(open, () => 'y')).toBe(open);
});

test('only the text around the links is rewritten', () => {
  const mark = linkMark('page', '/a');
  const shout = (text: string) => text.toUpperCase();
  expect(resolveMarks(`<a ${mark}>b</a> ${mark}`, (_, target) => target, shout)).toBe(
    '<A /a>B</A> /a',
  );
  expect(resolveMarks('b', () => '', shout)).toBe('B');
});
