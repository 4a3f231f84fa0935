import { excerpt, markWords, queryPattern, type TextRun } from '../../../core/search/excerpt.ts';
import type { SearchHit } from '../../../core/search/search-index.ts';

const HITS_PER_PAGE = 4;

/** The hits of one page, best first. */
export interface HitGroup {
  title: string;
  hits: SearchHit[];
}

/** Groups hits by page, at the position of the page's best hit. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { path, pageTitle } = hit.document;
    const group = groups.get(path);
    if (!group) groups.set(path, { title: pageTitle, hits: [hit] });
    else if (group.hits.length < HITS_PER_PAGE) group.hits.push(hit);
  }
  return [...groups.values()];
}

/** Creates an element with a class and children; text never becomes markup. */
export function element(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Converts runs of text to nodes, with matches as `<mark>`. */
export function runNodes(runs: readonly TextRun[]): (Node | string)[] {
  return runs.map((run) => (run.hit ? element('mark', '', run.text) : run.text));
}

function hitHeadings(hit: SearchHit): string[] {
  const { headings, operation, pageTitle } = hit.document;
  if (headings.length > 0) return headings.slice(-2);
  return [operation ?? pageTitle];
}

/**
 * Renders a hit as an option of the list: its headings, then the text around the matches.
 * @param id unique in the document
 */
export function hitOption(hit: SearchHit, query: string, id: string, address: string): HTMLElement {
  const pattern = queryPattern(query);
  const { text, code, description } = hit.document;
  const heading = element(
    'span',
    'd-search-heading',
    ...hitHeadings(hit).map((name) => element('span', '', ...runNodes(markWords(name, pattern)))),
  );
  const body = text || description || code;
  const option = element('a', 'd-search-hit', heading);
  if (body) option.append(element('span', 'd-search-text', ...runNodes(excerpt(body, pattern))));
  option.id = id;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.setAttribute('href', address);
  option.tabIndex = -1;
  return option;
}
