import { describe, expect, it } from 'vitest';
import { compileText } from '../../../../test/support/fake-site.ts';

const html = async (text: string, site = {}) => (await compileText(text, site)).content.html;

describe('an undefined component', () => {
  it('shows its children, title, and description, and does not fail the page', async () => {
    const { content, diagnostics, failed } = await compileText('<Fancy title="T" description="D">\n\n- a\n\n</Fancy>');
    expect(content.html).toBe('<p><strong>T</strong></p><p>D</p><ul><li>a</li></ul>');
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-component', line: 1 }]);
    expect(failed).toBe(false);
  });

  it('keeps its link and its image', async () => {
    expect(await html('<PreviewButton href="https://e.com">Open `x`</PreviewButton>')).toBe(
      '<p><a href="https://e.com">Open <code>x</code></a></p>',
    );
    expect(await html('<Go to="https://e.com" label="There" />')).toBe('<p><a href="https://e.com">There</a></p>');
    expect(await html('<Shot src="/a.png" title="Alt" />', { files: { 'a.png': '' } })).toContain('alt="Alt"');
    expect(await html('<Box url="https://e.com" title="T">\n\n# In\n\n</Box>')).toMatch(
      /^<p><strong><a href="https:\/\/e\.com">T<\/a><\/strong><\/p><h1/,
    );
  });

  it('is inline when it is called in a line of text', async () => {
    expect(await html('a <Term>b</Term> c <Chip title="d" /> e')).toBe('<p>a b  c <strong>d</strong>  e</p>');
  });

  it('shows its name only when it has nothing else to show', async () => {
    const { content, failed } = await compileText('<SoftLimit />');
    expect(content.html).toBe('<p><code>&lt;SoftLimit /&gt;</code></p>');
    expect(failed).toBe(false);
  });

  it('passes on nothing executable', async () => {
    const made = await html('<Bad href="javascript:alert(1)" title="<img onerror=x>" src="javascript:1.png" />');
    expect(made).not.toMatch(/javascript:|<img onerror/);
  });
});

describe('a snippet without an import', () => {
  it.each(['soft-limit.mdx', 'SoftLimit.mdx', 'softLimit.md', 'soft_limit.mdx'])('is found in the file %s', async (name) => {
    const files = { [`snippets/${name}`]: 'At most {count}.' };
    const { content, diagnostics } = await compileText('<SoftLimit count="3" />', { files });
    expect(content.html).toBe('<p>At most 3.</p>');
    expect(diagnostics).toMatchObject([{ code: 'missing-import', remedy: `Add: import SoftLimit from "/snippets/${name}";` }]);
  });
});
