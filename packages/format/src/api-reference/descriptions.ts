import type { PageRenderer } from '../content/page/page-renderer.ts';
import { escapeHtml } from '../html.ts';

/** Renders the Markdown of a description. */
export type DescriptionWriter = (markdown: string) => string;

// One line of words and periods: it contains no Markdown and nothing that typography would change.
const PLAIN = /^\p{L}[\p{L}\p{N} ,;()/%?-]*(?:\.(?: [\p{L}\p{N}][\p{L}\p{N} ,;()/%?-]*)?)*$/u;

/**
 * Returns the HTML of a description without Markdown, which is the same on every page; undefined
 * for any other.
 */
export function plainDescription(markdown: string): string | undefined {
  const text = markdown.trim();
  return text.length < 500 && PLAIN.test(text) && !text.includes('--')
    ? `<p>${escapeHtml(text)}</p>`
    : undefined;
}

/**
 * Creates a description renderer for one page. Most descriptions in an API are short and repeated
 * often, so plain ones skip the Markdown parser and the others are parsed only once.
 */
export function createDescriptionWriter(page: Pick<PageRenderer, 'markdown'>): DescriptionWriter {
  const htmlByText = new Map<string, string>();
  return (markdown) => {
    const plain = plainDescription(markdown);
    if (plain !== undefined) return plain;
    const text = markdown.trim();
    const before = htmlByText.get(text);
    if (before !== undefined) return before;
    const rendered = page.markdown(text).value;
    // Headings have ids, which must be unique on a page.
    if (!rendered.includes(' id=')) htmlByText.set(text, rendered);
    return rendered;
  };
}
