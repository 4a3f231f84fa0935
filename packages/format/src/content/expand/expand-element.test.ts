import { describe, expect, it } from 'vitest';
import { element } from '../../../../../test/support/fake-page.ts';
import { compileText } from '../../../../../test/support/fake-site.ts';
import { components } from '../components/registry.ts';
import type { ElementNode } from '../nodes/content-node.ts';
import { alertOf } from './expand-element.ts';

const html = async (text: string, site = {}) => (await compileText(text, site)).content.html;

describe('an undefined component', () => {
  it('shows its children, title, and description, and does not fail the page', async () => {
    const { content, diagnostics, failed } = await compileText(
      '<Fancy title="T" description="D">\n\n- a\n\n</Fancy>',
    );
    expect(content.html).toBe('<p><strong>T</strong></p><p>D</p><ul><li>a</li></ul>');
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'unknown-component', line: 1 },
    ]);
    expect(failed).toBe(false);
  });

  it('keeps its link and its image', async () => {
    expect(await html('<PreviewButton href="https://e.com">Open `x`</PreviewButton>')).toBe(
      '<p><a href="https://e.com">Open <code>x</code></a></p>',
    );
    expect(await html('<Go to="https://e.com" label="There" />')).toBe(
      '<p><a href="https://e.com">There</a></p>',
    );
    expect(await html('<Shot src="/a.png" title="Alt" />', { files: { 'a.png': '' } })).toContain(
      'alt="Alt"',
    );
    expect(await html('<Box url="https://e.com" title="T">\n\n# In\n\n</Box>')).toMatch(
      /^<p><strong><a href="https:\/\/e\.com">T<\/a><\/strong><\/p><h1/,
    );
  });

  it('is inline when it is called in a line of text', async () => {
    expect(await html('a <Term>b</Term> c <Chip title="d" /> e')).toBe(
      '<p>a b  c <strong>d</strong>  e</p>',
    );
  });

  it('shows its name only when it has nothing else to show', async () => {
    const { content, failed } = await compileText('<SoftLimit />');
    expect(content.html).toBe('<p><code>&lt;SoftLimit /&gt;</code></p>');
    expect(failed).toBe(false);
  });

  it('passes on nothing executable', async () => {
    const made = await html(
      '<Bad href="javascript:alert(1)" title="<img onerror=x>" src="javascript:1.png" />',
    );
    expect(made).not.toMatch(/javascript:|<img onerror/);
  });
});

describe('a snippet without an import', () => {
  it.each(['soft-limit.mdx', 'SoftLimit.mdx', 'softLimit.md', 'soft_limit.mdx'])(
    'is found in the file %s',
    async (name) => {
      const files = { [`snippets/${name}`]: 'At most {count}.' };
      const { content, diagnostics } = await compileText('<SoftLimit count="3" />', { files });
      expect(content.html).toBe('<p>At most 3.</p>');
      expect(diagnostics).toMatchObject([
        { code: 'missing-import', remedy: `Add: import SoftLimit from "/snippets/${name}";` },
      ]);
    },
  );
});

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
      const html =
        '<section data-name="Note" data-title=""><p>Read <strong>this</strong>.</p></section>';
      expect([text, content.html.replace('<p>\n', '<p>')]).toEqual([text, html]);
      expect(diagnostics).toEqual([]);
    }
  });

  it('becomes the callout of the same name for each of the five kinds', () => {
    for (const name of ['Note', 'Tip', 'Important', 'Warning', 'Caution']) {
      const quote = element(
        'blockquote',
        element('p', `[!${name.toUpperCase()}]\nText`),
      ) as ElementNode;
      expect(alertOf(quote)).toEqual({
        type: 'component',
        name,
        props: {},
        children: [element('p', 'Text')],
      });
      expect(components.has(name)).toBe(true);
    }
  });

  it('keeps its other blocks: lists, code, and nested quotes', async () => {
    const html = await htmlOf(
      '> [!NOTE]\n> Steps:\n>\n> - one\n>\n> ```bash\n> run\n> ```\n>\n> > quoted',
    );
    expect(html).toMatch(
      /data-name="Note"[\s\S]*<p>Steps:<\/p>[\s\S]*<li>one[\s\S]*run[\s\S]*<blockquote>[\s\S]*quoted/,
    );
  });

  it('remains a quote when the marker is unknown, escaped, or not alone on its first line', async () => {
    for (const text of [
      '> [!FOO]\n> x',
      '> [!NOTE] x',
      '> [!NOTE]**x**',
      '> x\n> [!NOTE]',
      '> # [!NOTE]',
    ])
      expect([text, await htmlOf(text)]).toEqual([text, expect.stringContaining('<blockquote>')]);
  });
});
