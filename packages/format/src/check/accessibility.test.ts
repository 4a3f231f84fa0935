import { describe, expect, it } from 'vitest';
import { parseSource } from '../content/mdx/parse-source.ts';
import { checkAccessibility } from './accessibility.ts';

function check(text: string, hasTitle = true): string[] {
  const { root } = parseSource(text, { math: false, isMarkdown: false, isComponent: () => true });
  return checkAccessibility({ file: 'a.mdx', root, lineOffset: 3, hasTitle }).map(
    (one) => `${one.line} ${one.code}`,
  );
}

describe('checkAccessibility', () => {
  it('reports images without alternative text, unless a tag marks them as decorative by an empty text', () => {
    const text =
      '![](/a.png)\n\n<img src="/b.png" />\n\n<img src="/c.png" alt="" />\n\n![Text](/d.png) <img alt={title} /> <img {...props} />';
    expect(check(text)).toEqual(['4 image-without-text', '6 image-without-text']);
  });

  it('reports skipped heading levels and a second title', () => {
    expect(check('### Deep\n\n## Fine\n\n### Fine\n\n## Fine\n\n#### Deep')).toEqual([
      '4 heading-skip',
      '12 heading-skip',
    ]);
    expect(check('# Again\n\n## Fine')).toEqual(['4 second-title']);
    expect(check('# One\n\n# Two', false)).toEqual(['6 second-title']);
    expect(check('## A snippet may start anywhere', false)).toEqual([]);
  });

  it('reports links without text, including links around an image without text', () => {
    expect(check('[](/a) [ ](/b) [![](/i.png)](/c)')).toEqual([
      '4 empty-link',
      '4 empty-link',
      '4 empty-link',
      '4 image-without-text',
    ]);
    expect(
      check(
        '[Text](/a) <a href="/b" aria-label="B"></a> <a href="/c"><Badge>x</Badge></a> [`code`](/d) [![I](/i.png)](/e)',
      ),
    ).toEqual([]);
  });

  it('reports tables without headers, frames without titles, and duplicate ids', () => {
    expect(check('| | |\n|-|-|\n| a | b |\n')).toEqual(['4 table-without-header']);
    expect(check('| | B |\n|-|-|\n| a | b |\n')).toEqual([]);
    expect(
      check(
        '<iframe src="https://example.com" />\n\n<iframe src="https://example.com" title="Demo" />',
      ),
    ).toEqual(['4 frame-without-title']);
    expect(check('## A {#one}\n\n<div id="one">x</div>')).toEqual(['6 duplicate-id']);
  });

  it('limits the number of its reports', () => {
    expect(check('![](/a.png) '.repeat(200))).toHaveLength(50);
  });
});
