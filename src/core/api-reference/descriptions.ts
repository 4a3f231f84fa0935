import type { PageRenderer } from '../content/page-renderer.ts';
import { escapeHtml } from '../html.ts';

/** Renders the Markdown of a description. */
export type DescriptionWriter = (markdown: string) => string;

// One line of words and periods: it contains no Markdown and nothing that typography would change.
const PLAIN = /^\p{L}[\p{L}\p{N} ,;()/%?-]*(?:\.(?: [\p{L}\p{N}][\p{L}\p{N} ,;()/%?-]*)?)*$/u;

/**
 * Creates a description renderer for one page. Most descriptions in an API are short and repeated often, so plain ones skip the
 * Markdown parser and the others are parsed only once.
 */
export function createDescriptionWriter(page: Pick<PageRenderer, 'markdown'>): DescriptionWriter {
  const known = new Map<string, string>();
  return (markdown) => {
    const text = markdown.trim();
    if (text.length < 500 && PLAIN.test(text) && !text.includes('--')) return `<p>${escapeHtml(text)}</p>`;
    const before = known.get(text);
    if (before !== undefined) return before;
    const rendered = page.markdown(text).value;
    // Headings have ids, which must be unique on a page.
    if (!rendered.includes(' id=')) known.set(text, rendered);
    return rendered;
  };
}
