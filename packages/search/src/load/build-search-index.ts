import { encodeUtf8 } from '@docent/format/bytes.ts';
import {
  contentOf,
  inOrder,
  type PackedLists,
  PageField,
  type PartContent,
  PostingLists,
  packNumbers,
  wholeOf,
} from '../index/index-format.ts';
import { PageLinkBuilder } from '../index/page-links.ts';
import type { StoredPage } from '../index/stored-document.ts';
import { TermTable } from '../index/term-table.ts';
import { NameField, nameTerm, operationTerms } from '../query/named-sections.ts';
import type { SearchDocument } from '../search-index.ts';
import {
  addToTable,
  COUNTS,
  type PageTerms,
  SECTION_HEAD,
  type SectionText,
  TermReader,
} from './page-terms.ts';

/** A page as an array, to keep the file small. */
function storedPage(first: SearchPage): StoredPage {
  const { path, href, pageTitle, description, keywords, boost } = first;
  const { operation, version, language, versions, languages, tag, trail, groups } = first;
  const labels = { operation, version, language, versions, languages, tag, trail, groups };
  return [path, href, pageTitle, description, keywords, boost, labels];
}

/** A page without its text, as input of the index. */
export type SearchPage = Omit<SearchDocument, keyof SectionText>;

/**
 * What an index has of some pages that follow each other, whatever comes before and after them.
 * Survives `structuredClone`.
 */
export interface IndexSegment {
  /** The folded words, one a line, and for each the number of its stem among `terms`. */
  words: string;
  termOfWord: Uint32Array<ArrayBuffer>;
  terms: string;
  postings: PackedLists;
  sectionNumbers: Uint32Array<ArrayBuffer>;
  records: Uint8Array<ArrayBuffer>;
  /** Of each page. */
  links: readonly (readonly string[])[];
}

/** Keeps the text of pages until the index is written. */
export interface RecordStore extends PartContent {
  add(bytes: Uint8Array): void;
}

function recordsInMemory(): RecordStore {
  const records: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    add(bytes) {
      records.push(bytes);
      sizeBytes += bytes.length;
    },
    chunks: () => records,
  };
}

/**
 * Builds the search index of a site page by page, and keeps nothing of a page but what the index
 * has of it. The index is deterministic;
 * `loadSearchIndex` opens it.
 */
export class SearchIndexBuilder {
  private readonly table = new TermTable();
  private readonly postings = new PostingLists();
  private readonly pages: StoredPage[] = [];
  private readonly links = new PageLinkBuilder();
  private readonly pageLinks: (readonly string[])[] = [];
  private readonly sectionNumbers: number[] = [];
  /** The sections of each page. */
  private readonly records: RecordStore;
  private readonly groups = new Set<string>();
  private readonly reader = new TermReader();

  /**
   * @param records where the text of the pages is kept until the index is written; by default, in
   *   memory
   */
  constructor(records: RecordStore = recordsInMemory()) {
    this.records = records;
  }

  /**
   * Adds the next page: its sections in reading order. Its title, description, boost and labels are
   * those of the first section.
   */
  addPage(documents: readonly SearchDocument[]): void {
    const [first] = documents;
    if (first) this.add(first, this.reader.read(first.path, documents));
  }

  /**
   * Adds the next page, whose text has been read.
   * @param groups those that begin with it, if other pages come before than were added
   */
  add(page: SearchPage, terms: PageTerms, groups = this.beginningGroups(page)): void {
    this.addPageFields(page, groups);
    this.pages.push(storedPage(page));
    this.records.add(terms.records);
    this.addSections(terms);
    this.links.addPage(page, terms.links);
    this.pageLinks.push(terms.links);
  }

  /** Adds the next pages at once. */
  addSegment(pages: readonly SearchPage[], segment: IndexSegment): void {
    const ids = addToTable(segment, this.table);
    this.postings.addPacked(ids, segment.postings, {
      section: this.sectionNumbers.length / 3,
      page: this.pages.length,
    });
    for (const number of segment.sectionNumbers) this.sectionNumbers.push(number);
    this.records.add(segment.records);
    for (const [index, page] of pages.entries()) {
      this.pages.push(storedPage(page));
      this.links.addPage(page, segment.links[index] as readonly string[]);
    }
  }

  /** Returns the pages that were added one by one, for another index. */
  toSegment(): IndexSegment {
    const { words, termOfWord, terms, ids } = this.sorted();
    return {
      words: words.join('\n'),
      termOfWord: Uint32Array.from(termOfWord),
      terms: terms.join('\n'),
      postings: this.postings.packed(ids),
      sectionNumbers: Uint32Array.from(this.sectionNumbers),
      records: wholeOf(this.records),
      links: this.pageLinks,
    };
  }

  private addPageFields(document: SearchPage, groups: readonly string[]): void {
    const fields = new Map<number, number>();
    const addTerm = (term: number, field: number) =>
      fields.set(term, (fields.get(term) ?? 0) | field);
    const add = (text: string, field: number) =>
      this.table.read(text, false, (term) => addTerm(term, field));
    add(document.pageTitle, PageField.title);
    add(document.path, PageField.path);
    add(document.description, PageField.description);
    add(document.keywords.join(' '), PageField.description);
    add(document.operation ?? '', PageField.operation);
    for (const label of document.trail ?? []) add(label, PageField.trail);
    const addName = (name: string, field: number) => {
      const key = nameTerm(name);
      if (key !== '') addTerm(this.table.idOf(key), field);
    };
    // The fields of a name: title, menu label, last part of the path, method and route, keywords,
    // groups.
    addName(document.pageTitle, PageField.title);
    addName(document.sidebarTitle ?? '', PageField.description);
    addName(document.path.replace(/\/index$/, '').replace(/^.*\//, ''), PageField.path);
    addName(document.operation ?? '', PageField.operation);
    // What its author calls it besides; ranking ignores the field of these names.
    for (const keyword of document.keywords) addName(keyword, NameField.keyword);
    for (const label of groups) addName(label, NameField.group);
    for (const key of operationTerms(document.operation ?? '', document.operationId)) {
      fields.set(this.table.idOf(key), PageField.operation);
    }
    for (const [term, mask] of fields) this.postings.addPage(term, this.pages.length, mask);
  }

  /** Returns the labels of the groups and divisions of which this page is the first. */
  beginningGroups({ trail = [], version, language }: SearchPage): readonly string[] {
    return trail.filter((_, depth) => {
      const key = JSON.stringify([version, language, ...trail.slice(0, depth + 1)]);
      return this.groups.size !== this.groups.add(key).size;
    });
  }

  private addSections(terms: PageTerms): void {
    const ids = addToTable(terms, this.table);
    const { sections } = terms;
    let section = this.sectionNumbers.length / 3;
    for (let at = 0; at < sections.length; ) {
      const head = at;
      const valueAt = (place: number) => sections[head + place] as number;
      this.sectionNumbers.push(valueAt(0) * 2 + (at === 0 ? 1 : 0), valueAt(1), valueAt(2));
      const end = at + SECTION_HEAD + valueAt(3);
      for (at += SECTION_HEAD; at < end; at++) {
        const number = sections[at] as number;
        const term = ids[Math.floor(number / COUNTS)] as number;
        this.postings.addSection(term, section, number % COUNTS);
      }
      section++;
    }
  }

  /**
   * The vocabulary in the order of the index; what comes from sorted segments is sorted in a third
   * of the time.
   */
  private sorted() {
    // Sorting without a comparison function uses code units: platform-independent, and the order
    // that lookups expect.
    const terms = [...this.table.terms.keys()].sort();
    const words = [...this.table.words.keys()].sort();
    const rank = new Uint32Array(terms.length);
    const ids = terms.map((term) => this.table.terms.get(term) as number);
    for (const [index, id] of ids.entries()) rank[id] = index;
    const termOfWord = words.map((word) => rank[this.table.words.get(word) as number] as number);
    return { words, termOfWord, terms, ids };
  }

  /** Returns the serialized index of the pages that were added. */
  toBytes(): Uint8Array {
    return wholeOf(this.finish());
  }

  /** The same in pieces: the text of all pages may not fit in memory. */
  finish(): PartContent {
    const { words, termOfWord, terms, ids } = this.sorted();
    return inOrder({
      pages: contentOf([encodeUtf8(JSON.stringify(this.pages))]),
      words: contentOf([encodeUtf8(words.join('\n'))]),
      wordTerms: contentOf([packNumbers(termOfWord)]),
      terms: contentOf([encodeUtf8(terms.join('\n'))]),
      postingLengths: contentOf([packNumbers(ids.map((id) => this.postings.sizeOf(id)))]),
      postings: this.postings.contentOf(ids),
      sections: contentOf([packNumbers(this.sectionNumbers)]),
      records: this.records,
      links: contentOf([this.links.toBytes()]),
    });
  }
}

/**
 * Builds the search index of a site at once.
 * @param documents the sections of all pages; those of one page in reading order
 */
export function buildSearchIndex(documents: readonly SearchDocument[]): Uint8Array {
  const builder = new SearchIndexBuilder();
  for (const page of Map.groupBy(documents, ({ path }) => path).values()) builder.addPage(page);
  return builder.toBytes();
}
