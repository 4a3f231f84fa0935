import type { IndexData } from '../index/index-data.ts';
import { NumberPacker } from '../index/packed-numbers.ts';
import { emptyPostings, PostingListBuilder, readPostings, unpackCounts } from '../index/posting-list.ts';
import type { CountedPage, RankedPage } from '../index/search-data.ts';
import { headingLists } from '../second-stage/page-facts.ts';
import { pageWorth } from '../second-stage/page-worth.ts';

const NOT_IN = 0xffffffff;
const NOTHING = new Uint8Array();

/** Selects the pages to include. */
export interface SubsetPage {
  path: string;
  href: string;
  language: string | undefined;
}

/** The pages of an index that go into the shards. They keep their numbers here, and are renumbered in postings. */
export class IndexSubset {
  readonly data: IndexData;
  /** Numbers in the whole index, ascending. */
  readonly pages: readonly number[];
  readonly sections: readonly number[];
  readonly terms: readonly number[];
  readonly #newPage: Uint32Array;
  readonly #newSection: Uint32Array;
  /** Postings of each term of the whole index; undefined if all pages are included, because then the index's own apply. */
  readonly #postings: readonly Uint8Array[] | undefined;

  constructor(data: IndexData, isIncluded: (page: SubsetPage) => boolean) {
    this.data = data;
    this.#newPage = new Uint32Array(data.pages.length).fill(NOT_IN);
    this.#newSection = new Uint32Array(data.sectionCount).fill(NOT_IN);
    const [pages, sections]: [number[], number[]] = [[], []];
    data.storedPages.forEach(([path, href], page) => {
      const { language } = data.pages[page] as RankedPage;
      if (!isIncluded({ path, href, language })) return;
      this.#newPage[page] = pages.push(page) - 1;
      const end = data.firstSection[page + 1] as number;
      for (let section = data.firstSection[page] as number; section < end; section++) {
        this.#newSection[section] = sections.push(section) - 1;
      }
    });
    this.pages = pages;
    this.sections = sections;
    const isWhole = pages.length === data.pages.length;
    this.#postings = isWhole ? undefined : data.terms.map(this.#renumbering());
    this.terms = [...data.terms.keys()].filter((term) => this.postings(term).length > 0);
  }

  /** Returns the packed postings of a term of the whole index; empty if these pages do not contain it. */
  postings(term: number): Uint8Array {
    return this.#postings === undefined ? this.data.packedPostings(term) : (this.#postings[term] as Uint8Array);
  }

  /** Returns the worth of each page, as if the other pages did not exist. */
  pageWorth(): Float32Array {
    const { data } = this;
    if (this.#postings === undefined) return data.pageWorth;
    const newNumbers = (links: readonly number[]) =>
      links.map((page) => this.#newPage[page] as number).filter((page) => page !== NOT_IN);
    const postings = emptyPostings(data.sectionCount, data.pages.length);
    return pageWorth({
      pages: this.pages.map((page): CountedPage => {
        const counted = data.counted[page] as CountedPage;
        return { ...counted, links: newNumbers(counted.links) };
      }),
      pageOfSection: Uint32Array.from(this.sections, (section) => this.#newPage[data.pageOfSection[section] as number] as number),
      headings: headingLists(data.terms, (term) => {
        readPostings(data.packedPostings(term), postings);
        const sections = postings.sections.subarray(0, postings.sectionCount);
        return sections.map((section) => this.#newSection[section] as number).filter((section) => section !== NOT_IN);
      }),
    });
  }

  #renumbering(): (name: string, term: number) => Uint8Array {
    const { data } = this;
    const from = emptyPostings(data.sectionCount, data.pages.length);
    return (_, term) => {
      readPostings(data.packedPostings(term), from);
      const list = new PostingListBuilder();
      let count = 0;
      for (let i = 0; i < from.sectionCount; i++) {
        const section = this.#newSection[from.sections[i] as number] as number;
        const { heading, prose, code } = unpackCounts(from.counts[i] as number);
        if (section !== NOT_IN && ++count) list.addSection(section, heading, prose, code);
      }
      for (let i = 0; i < from.pageCount; i++) {
        const page = this.#newPage[from.pages[i] as number] as number;
        if (page !== NOT_IN && ++count) list.addPage(page, from.fields[i] as number);
      }
      // A function word that occurs only in prose is known, though it has no postings: it must not count as a typo.
      if (count === 0 && from.sectionCount + from.pageCount > 0) return NOTHING;
      const packer = new NumberPacker();
      list.writeTo(packer);
      return packer.toBytes();
    };
  }
}
