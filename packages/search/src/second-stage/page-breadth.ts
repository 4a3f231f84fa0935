import {
  countsOf,
  gapOf,
  NumberReader,
  PageField,
  UNPACKED_COUNTS,
} from '../index/index-format.ts';
import { lengthOfStep, lengthStep } from '../index/search-data.ts';
import { NAME_MARK } from '../query/named-sections.ts';

/** How much the occurrences in a section count, by their packed counts. */
export const SECTION_OCCURRENCES = Float32Array.from(
  UNPACKED_COUNTS,
  ({ heading, prose, code }) => 2 * heading + prose + 0.3 * code,
);

/** The same of those in the fields of a page, by their bits. */
export const FIELD_OCCURRENCES = Float32Array.from({ length: 2 * PageField.trail }, (_, fields) => {
  const { title, description, path } = PageField;
  return (fields & title ? 4 : 0) + (fields & description ? 2 : 0) + (fields & path ? 1 : 0);
});

/** With this many occurrences a word counts half of the most that it can. */
const HALF = 2;

export function amountOf(occurrences: number): number {
  return occurrences / (occurrences + HALF);
}

/** How rare a word is that some of all sections, or of all pages, have. */
export function rarity(all: number, having: number): number {
  return Math.log(1 + (all + 0.5) / (having + 0.5));
}

/** The pages of which the breadth is measured. */
export interface BreadthSource {
  terms: readonly string[];
  /** Of each term, as `PostingLists` packs them. */
  postings: (term: number) => Uint8Array;
  pageOfSection: Uint32Array;
  pageCount: number;
}

/**
 * Returns how much each page is about in all: its length as a vector of words, each by its rarity
 * and occurrences. A page that only mentions what is asked may have as much of the question as the
 * page about it, but has more of other things. Quantized like lengths.
 */
export function pageBreadth(source: BreadthSource): Float32Array {
  const { terms, postings, pageOfSection, pageCount } = source;
  const squares = new Float64Array(pageCount);
  const occurrences = new Float32Array(pageCount);
  const pages = new Uint32Array(pageCount);
  for (const [term, text] of terms.entries()) {
    if (text.startsWith(NAME_MARK)) continue;
    const reader = new NumberReader(postings(term));
    let having = 0;
    let section = -1;
    for (let left = Math.min(reader.next(), pageOfSection.length); left > 0; left--) {
      const number = reader.next();
      section += gapOf(number);
      const page = pageOfSection[section] as number;
      if (occurrences[page] === 0) pages[having++] = page;
      (occurrences[page] as number) += SECTION_OCCURRENCES[countsOf(number, reader)] as number;
    }
    let page = -1;
    for (let left = Math.min(reader.next(), pageCount); left > 0; left--) {
      page += reader.next() + 1;
      const count = FIELD_OCCURRENCES[reader.next()] as number;
      if (count === 0) continue;
      if (occurrences[page] === 0) pages[having++] = page;
      (occurrences[page] as number) += count;
    }
    const worth = rarity(pageCount, having);
    for (let at = 0; at < having; at++) {
      const touched = pages[at] as number;
      (squares[touched] as number) += (worth * amountOf(occurrences[touched] as number)) ** 2;
      occurrences[touched] = 0;
    }
  }
  return Float32Array.from(squares, (square) => lengthOfStep(lengthStep(Math.sqrt(square))));
}
