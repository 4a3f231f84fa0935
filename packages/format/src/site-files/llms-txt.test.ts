import { describe, expect, it } from 'vitest';
import { llmsFullTxt, llmsTxt } from './llms-txt.ts';

describe('llmsTxt', () => {
  it('lists the pages by section, followed by API descriptions and external links', () => {
    const text = llmsTxt({
      name: 'Acme',
      description: 'Everything\nabout Acme.',
      instructions: ['Use v2.'],
      pages: [
        {
          title: 'Start',
          url: 'https://a.example/start.md',
          description: 'First steps.\n\nMore.',
          section: 'Guides',
        },
        { title: 'Plain', url: '/plain.md' },
        { title: 'Next', url: '/next.md', section: 'Guides' },
      ],
      openApiSpecs: [{ title: 'openapi', url: '/openapi.json' }],
      external: [{ title: 'Blog', url: 'https://b.example' }],
    });
    expect(text).toBe(`# Acme

> Everything about Acme.

## Agent Instructions

Use v2.

## Guides

- [Start](https://a.example/start.md): First steps.
- [Next](/next.md)

## Docs

- [Plain](/plain.md)

## OpenAPI Specs

- [openapi](/openapi.json)

## Optional

- [Blog](https://b.example)
`);
  });

  it('escapes titles and URLs so that they cannot break out of their link', () => {
    const text = llmsTxt({
      name: 'A',
      pages: [{ title: 'a](http://evil) [b\n# x', url: '/a (b).md' }],
    });
    expect(text).toContain('- [a\\](http://evil) \\[b # x](/a%20%28b%29.md)\n');
  });

  it('shortens descriptions before it drops pages, and states the number of dropped pages', () => {
    const pages = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        title: `Page ${index}`,
        url: `/p/${index}.md`,
        description: 'word '.repeat(100),
      }));
    const shortened = llmsTxt({ name: 'A', pages: pages(600) });
    expect(shortened.length).toBeLessThanOrEqual(100_000);
    expect(shortened).toContain('- [Page 599](/p/599.md): word');
    const dropped = llmsTxt({ name: 'A', pages: pages(10_000) });
    expect(dropped.length).toBeLessThanOrEqual(100_000);
    expect(dropped.length).toBeGreaterThan(99_000);
    const listed = dropped.match(/^- /gm)?.length ?? 0;
    expect(dropped).toContain(`${10_000 - listed} more pages are not listed here`);
  });
});

describe('llmsFullTxt', () => {
  it('returns every page with title, URL, description, and text', () => {
    const text = llmsFullTxt([
      {
        title: 'One',
        url: 'https://a.example/one',
        description: 'First.',
        markdown: '\nText of one.\n',
      },
      { title: 'Two', url: '/two', markdown: 'Text of two.' },
    ]);
    expect(text).toBe(
      '# One\nSource: https://a.example/one\n\nFirst.\n\nText of one.\n\n\n# Two\nSource: /two\n\nText of two.\n',
    );
  });
});
