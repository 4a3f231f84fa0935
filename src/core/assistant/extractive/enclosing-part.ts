import type { SearchDocument } from '../../search/search-index.ts';

/** Sections that belong together are quoted together if they are at most this long. */
export const MAX_PART_LENGTH = 2500;

/** Several sections of a page that belong together. */
export interface PagePart {
  /** The headings that all of them are under, outermost first; none for the page itself. */
  headings: string[];
  anchor: string;
  markdown: string;
}

/**
 * Returns the part of a page that is read together with a section: as many of the sections below its heading as fit, and if all
 * do, those below the headings above it, up to the whole page.
 * @param sections the sections of the page, in order
 * @returns undefined if it is the section alone
 */
export function enclosingPart(sections: readonly SearchDocument[], section: SearchDocument): PagePart | undefined {
  const at = sections.findIndex(({ anchor }) => anchor === section.anchor);
  if (at < 0) return undefined;
  const own = section.headings.length;
  let found: PagePart | undefined;
  for (let depth = own; depth >= 0; depth--) {
    const headings = section.headings.slice(0, depth);
    const isInside = (one: SearchDocument | undefined) =>
      one !== undefined && headings.every((heading, level) => one.headings[level] === heading);
    let [from, end] = [at, at + 1];
    while (depth < own && isInside(sections[from - 1])) from--;
    while (isInside(sections[end])) end++;
    const { count, markdown } = joined(sections.slice(from, end), depth);
    const isWhole = count === end - from;
    if (!isWhole && depth < own) break;
    if (count > 1) found = { headings, anchor: depth === 0 ? '' : (sections[from] as SearchDocument).anchor, markdown };
    if (!isWhole) break;
  }
  return found;
}

/** As many of the sections as fit, each with its own heading. */
function joined(sections: readonly SearchDocument[], depth: number): { count: number; markdown: string } {
  let [count, markdown] = [0, ''];
  for (const { headings, markdown: own } of sections) {
    const title = headings.length > depth ? `${'#'.repeat(Math.min(6, 3 + headings.length - depth))} ${headings.at(-1)}` : '';
    const text = [markdown, title, own].filter((piece) => piece !== '').join('\n\n');
    if (text.length > MAX_PART_LENGTH) break;
    markdown = text;
    count++;
  }
  return { count, markdown };
}
