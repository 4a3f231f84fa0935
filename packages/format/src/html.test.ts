import { expect, test } from 'vitest';
import { attributes, escapeHtml, html, joinHtml, trustedHtml } from './html.ts';

test('an interpolated string never becomes markup', () => {
  const hostile = `"><img src=x onerror='alert(1)'>&`;
  expect(html`<p title="${hostile}">${hostile}</p>`.value).toBe(
    '<p title="&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;">&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;</p>',
  );
});

test('nested HTML is unchanged, lists are joined, and empty values render nothing', () => {
  const items = [html`<li>${1}</li>`, html`<li>${'<'}</li>`];
  expect(html`<ul>${items}${null}${undefined}${false}</ul>`.value).toBe(
    '<ul><li>1</li><li>&lt;</li></ul>',
  );
  expect(joinHtml(items, '\n').value).toBe('<li>1</li>\n<li>&lt;</li>');
});

test('forbidden control characters are removed', () => {
  expect(escapeHtml('a\u0001b\u0000c\u001fd\te\n')).toBe('abcd\te\n');
});

test('true attributes render as bare names, and absent ones are omitted', () => {
  expect(
    attributes({ hidden: true, id: '"x"', width: 3, alt: '', off: false, none: undefined }).value,
  ).toBe(' hidden id="&quot;x&quot;" width="3" alt=""');
  expect(trustedHtml('<b>').toString()).toBe('<b>');
});
