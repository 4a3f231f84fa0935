import type { PageRenderer } from '../content/page-renderer.ts';
import { escapeHtml } from '../html.ts';

/** Renders the Markdown of a description. */
export type DescriptionWriter = (markdown: string) => string;

// One line of words and full stops: no Markdown can be in it, and nothing that typography would change.
const PLAIN = /^\p{L}[\p{L}\p{N} ,;()/%?-]*(?:\.(?: [\p{L}\p{N}][\p{L}\p{N} ,;()/%?-]*)?)*$/u;

/**
 * A writer for one page. Most descriptions in an API are short and many come again and again, so plain ones do not go through
 * the Markdown parser at all and the others only once.
 */
export function createDescriptionWriter(page: Pick<PageRenderer, 'markdown'>): DescriptionWriter {
  const known = new Map<string, string>();
  return (markdown) => {
    const text = markdown.trim();
    if (text.length < 500 && PLAIN.test(text) && !text.includes('--')) return `<p>${escapeHtml(text)}</p>`;
    const before = known.get(text);
    if (before !== undefined) return before;
    const rendered = page.markdown(text).value;
    // Headings in it have ids, which must not stand on a page twice.
    if (!rendered.includes(' id=')) known.set(text, rendered);
    return rendered;
  };
}
