import { describe, expect, it } from 'vitest';
import { element } from '../../../../test/support/fake-page.ts';
import { compileText } from '../../../../test/support/fake-site.ts';
import { components } from '../components/registry.ts';
import { alertOf } from './alert.ts';
import type { ElementNode } from './content-node.ts';

const htmlOf = async (text: string) => (await compileText(text)).content.html;

describe('a block quote that begins with an alert marker', () => {
  it('becomes a callout without the marker, for any letter case and line break', async () => {
    for (const text of [
      '> [!NOTE]\n> Read **this**.',
      '> [!note]  \n> Read **this**.',
      '> [!Note]\\\n> Read **this**.',
      '> [!NOTE]\n>\n> Read **this**.',
    ]) {
      const { content, diagnostics } = await compileText(text);
      const html = '<section data-name="Note" data-title=""><p>Read <strong>this</strong>.</p></section>';
      expect([text, content.html.replace('<p>\n', '<p>')]).toEqual([text, html]);
      expect(diagnostics).toEqual([]);
    }
  });

  it('becomes the callout of the same name for each of the five kinds', () => {
    for (const name of ['Note', 'Tip', 'Important', 'Warning', 'Caution']) {
      const quote = element('blockquote', element('p', `[!${name.toUpperCase()}]\nText`)) as ElementNode;
      expect(alertOf(quote)).toEqual({ type: 'component', name, props: {}, children: [element('p', 'Text')] });
      expect(components.has(name)).toBe(true);
    }
  });

  it('keeps its other blocks: lists, code, and nested quotes', async () => {
    const html = await htmlOf('> [!NOTE]\n> Steps:\n>\n> - one\n>\n> ```bash\n> run\n> ```\n>\n> > quoted');
    expect(html).toMatch(/data-name="Note"[\s\S]*<p>Steps:<\/p>[\s\S]*<li>one[\s\S]*run[\s\S]*<blockquote>[\s\S]*quoted/);
  });

  it('remains a quote when the marker is unknown, escaped, or not alone on its first line', async () => {
    for (const text of ['> [!FOO]\n> x', '> [!NOTE] x', '> [!NOTE]**x**', '> x\n> [!NOTE]', '> # [!NOTE]'])
      expect([text, await htmlOf(text)]).toEqual([text, expect.stringContaining('<blockquote>')]);
  });
});
