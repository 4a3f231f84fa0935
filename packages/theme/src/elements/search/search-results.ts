import { excerpt, markWords, queryPattern, type TextRun } from '@docent/search/query/excerpt.ts';
import type { SearchHit } from '@docent/search/search-index.ts';
import { make } from '../dom.ts';

const HITS_PER_PAGE = 4;

/** Sections with less text may be equal by chance. */
const MIN_ALIKE_CHARS = 24;
const MAX_COMPARED_CHARS = 400;
const MAX_TITLES = 3;

/** The hits of one page, best first. */
export interface HitGroup {
  title: string;
  hits: SearchHit[];
  /** Titles of other pages that have one of these sections too. */
  others: string[];
}

/**
 * Groups hits by page, at the position of the page's best hit. A section that another page has with
 * the same heading and text is shown once, at the first of them.
 */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  const holders = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { path, pageTitle } = hit.document;
    const content = contentOf(hit);
    const holder = content === undefined ? undefined : holders.get(content);
    const existingGroup = groups.get(path);
    if (holder !== undefined && holder !== existingGroup) {
      if (holder.title !== pageTitle && !holder.others.includes(pageTitle))
        holder.others.push(pageTitle);
      continue;
    }
    const group = existingGroup ?? { title: pageTitle, hits: [], others: [] };
    groups.set(path, group);
    if (content !== undefined) holders.set(content, group);
    if (group.hits.length < HITS_PER_PAGE) group.hits.push(hit);
  }
  return [...groups.values()];
}

/** What makes two hits alike; undefined if a section has too little text. */
function contentOf({ document: { headings, text, operation } }: SearchHit): string | undefined {
  const same = text.slice(0, MAX_COMPARED_CHARS).toLowerCase();
  return operation !== undefined || same.length < MIN_ALIKE_CHARS
    ? undefined
    : `${headings.at(-1) ?? ''}\n${same}`;
}

/** Returns the title of a group: that of its page and of the others that have the section. */
export function titleOf({ title, others }: HitGroup): string {
  const named = [title, ...others].slice(0, MAX_TITLES).join(', ');
  const more = 1 + others.length - MAX_TITLES;
  return more > 0 ? `${named} +${more}` : named;
}

/** Converts runs of text to nodes, with matches as `<mark>`. */
export function runNodes(runs: readonly TextRun[]): (Node | string)[] {
  return runs.map((run) => (run.hit ? make('mark', '', run.text) : run.text));
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
  const heading = make(
    'span',
    'd-search-heading',
    ...hitHeadings(hit).map((name) => make('span', '', ...runNodes(markWords(name, pattern)))),
  );
  const body = text || description || code;
  const extract = body ? [make('span', 'd-search-text', ...runNodes(excerpt(body, pattern)))] : [];
  return option(id, address, heading, ...extract);
}

/**
 * Creates an option of the list.
 * @param id unique in the document
 * @param href absent: the option is no link
 */
export function option(
  id: string,
  href: string | undefined,
  ...children: HTMLElement[]
): HTMLElement {
  const element = make(href === undefined ? 'div' : 'a', 'd-search-hit', ...children);
  element.id = id;
  element.setAttribute('role', 'option');
  element.setAttribute('aria-selected', 'false');
  if (href !== undefined) {
    element.setAttribute('href', href);
    element.tabIndex = -1;
  }
  return element;
}

const TEXT_CHARS = 700;
const CODE_LINES = 14;

/** Returns the lines of code around the first match. */
function codeLines(code: string, pattern: RegExp | undefined): string {
  const lines = code.split('\n');
  const matchIndex = pattern ? lines.findIndex((line) => line.search(pattern) >= 0) : -1;
  const start = Math.max(0, Math.min(matchIndex - 3, lines.length - CODE_LINES));
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
    make('p', 'd-search-where', ...where.map((part) => make('span', '', part))),
    make('p', 'd-search-peek-title', headings.at(-1) ?? pageTitle),
  ];
  if (operation) parts.push(make('p', 'd-search-operation', operation));
  const prose = text || description;
  if (prose)
    parts.push(make('p', 'd-search-peek-text', ...runNodes(excerpt(prose, pattern, TEXT_CHARS))));
  if (code) parts.push(make('pre', '', codeLines(code, pattern)));
  return parts;
}
