import { excerpt, queryPattern } from '../../../core/search/excerpt.ts';
import type { SearchHit } from '../../../core/search/search-index.ts';
import { element, runNodes } from './search-results.ts';

const TEXT_CHARS = 700;
const CODE_LINES = 14;

/** Returns the lines of code around the first match. */
function codeLines(code: string, pattern: RegExp | undefined): string {
  const lines = code.split('\n');
  const found = pattern ? lines.findIndex((line) => line.search(pattern) >= 0) : -1;
  const start = Math.max(0, Math.min(found - 3, lines.length - CODE_LINES));
  return lines.slice(start, start + CODE_LINES).join('\n');
}

/**
 * Renders the section of a hit with marked words: its trail, its heading, its text and its code.
 * @param trail the page's place in the site
 */
export function hitPreview(hit: SearchHit, query: string, trail: string): Node[] {
  const { pageTitle, headings, operation, description, text, code } = hit.document;
  const pattern = queryPattern(query);
  const where = [trail, pageTitle, ...headings.slice(0, -1)].filter((part) => part !== '');
  const parts: Node[] = [
    element('p', 'd-search-where', ...where.map((part) => element('span', '', part))),
    element('p', 'd-search-preview-title', headings.at(-1) ?? pageTitle),
  ];
  if (operation) parts.push(element('p', 'd-search-operation', operation));
  const prose = text || description;
  if (prose) parts.push(element('p', 'd-search-preview-text', ...runNodes(excerpt(prose, pattern, TEXT_CHARS))));
  if (code) parts.push(element('pre', '', codeLines(code, pattern)));
  return parts;
}
