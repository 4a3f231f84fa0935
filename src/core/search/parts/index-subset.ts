import type { IndexData } from '../index-data.ts';
import { emptyPostings, type Postings } from '../posting-list.ts';
import type { RankedPage } from '../search-data.ts';
import { type CountedPage, headingLists } from '../second-stage/page-facts.ts';
import { pageWorth } from '../second-stage/page-worth.ts';
import type { StoredPage } from '../stored-document.ts';
import type { TermPostings } from './code-postings.ts';

const NOT_IN = 0xffffffff;
/** Nothing is left out, and so nothing numbered anew. */
const EVERYTHING = new Uint32Array();

/** What decides whether a page goes in. */
export interface SubsetPage {
  path: string;
  href: string;
  language: string | undefined;
}

/** The pages of an index that go into the parts, numbered anew. */
export class IndexSubset {
  /** Numbers in the whole index, in order. */
  readonly pages: readonly number[];
  readonly sections: readonly number[];
  readonly data: IndexData;
  private readonly newPage: Uint32Array;
  private readonly newSection: Uint32Array;
  private readonly postings: Postings;

  constructor(data: IndexData, isIncluded: (page: SubsetPage) => boolean) {
    this.data = data;
    this.newPage = new Uint32Array(data.pages.length).fill(NOT_IN);
    this.newSection = new Uint32Array(data.sectionCount).fill(NOT_IN);
    this.postings = emptyPostings(data.sectionCount, data.pages.length);
    const [pages, sections]: [number[], number[]] = [[], []];
    data.storedPages.forEach(([path, href], page) => {
      const { language } = data.pages[page] as RankedPage;
      if (!isIncluded({ path, href, language })) return;
      this.newPage[page] = pages.push(page) - 1;
      const end = data.firstSection[page + 1] as number;
      for (let section = data.firstSection[page] as number; section < end; section++) {
        this.newSection[section] = sections.push(section) - 1;
      }
    });
    this.pages = pages;
    this.sections = sections;
    if (pages.length < data.pages.length) return;
    this.newPage = EVERYTHING;
    this.newSection = EVERYTHING;
  }

  stored(page: number): StoredPage {
    return this.data.storedPages[this.pages[page] as number] as StoredPage;
  }

  sectionsOf(page: number): number {
    const { firstSection } = this.data;
    const old = this.pages[page] as number;
    return (firstSection[old + 1] as number) - (firstSection[old] as number);
  }

  /** What speaks for each page, where the others have never been. */
  pageWorth(): Float32Array {
    const { data, newPage } = this;
    if (newPage === EVERYTHING) return data.pageWorth;
    const newNumbers = (links: readonly number[]) =>
      links.map((page) => newPage[page] as number).filter((page) => page !== NOT_IN);
    return pageWorth({
      pages: this.pages.map((page): CountedPage => {
        const counted = data.counted[page] as CountedPage;
        return { ...counted, links: newNumbers(counted.links) };
      }),
      pageOfSection: Uint32Array.from(this.sections, (section) => newPage[data.pageOfSection[section] as number] as number),
      headings: headingLists(data.terms, (term) => this.postingsOf(term)?.sections ?? EVERYTHING),
    });
  }

  /** Where a term of the whole index stands in these pages; undefined where it does not. */
  postingsOf(term: number): TermPostings | undefined {
    const { postings, newPage, newSection } = this;
    this.data.readPostings(term, postings);
    const sections = kept(postings.sections, postings.counts, postings.sectionCount, newSection);
    const pages = kept(postings.pages, postings.fields, postings.pageCount, newPage);
    // A word of grammar that stands in prose alone is known, though it stands nowhere: it must not pass for a typing error.
    const stoodAnywhere = postings.sectionCount + postings.pageCount > 0;
    if (stoodAnywhere && sections.numbers.length + pages.numbers.length === 0) return undefined;
    return { sections: sections.numbers, counts: sections.values, pages: pages.numbers, fields: pages.values };
  }
}

function kept(numbers: Uint32Array, values: Uint8Array, count: number, renumbered: Uint32Array) {
  if (renumbered.length === 0) return { numbers: numbers.slice(0, count), values: values.slice(0, count) };
  const out = { numbers: new Uint32Array(count), values: new Uint8Array(count) };
  let at = 0;
  for (let i = 0; i < count; i++) {
    const number = renumbered[numbers[i] as number] as number;
    if (number === NOT_IN) continue;
    out.numbers[at] = number;
    out.values[at++] = values[i] as number;
  }
  return { numbers: out.numbers.subarray(0, at), values: out.values.subarray(0, at) };
}
