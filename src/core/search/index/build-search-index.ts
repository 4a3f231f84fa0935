import { concatenate, encodeUtf8 } from '../../bytes.ts';
import { nameTerm, operationTerms } from '../named-sections.ts';
import { packLinks } from '../page-links.ts';
import type { SearchDocument } from '../search-index.ts';
import { joinParts, NumberPacker, PageField, PostingListBuilder, packCounts, packNumbers } from './index-format.ts';
import { TermTable } from './term-table.ts';

/** A stored page, as an array to keep the file small: the order is that of `StoredPage` in `index-data.ts`. */
function storedPage(first: SearchDocument): unknown[] {
  const { path, href, pageTitle, description, keywords, boost, operation, version, language, tag, trail, groups } = first;
  return [path, href, pageTitle, description, keywords, boost, { operation, version, language, tag, trail, groups }];
}

/** A section's own data: the fields of a hit on one line, then its Markdown. `text` and `code` are not stored. */
function storedSection(document: SearchDocument): string {
  return `${JSON.stringify([document.anchor, document.headings])}\n${document.markdown}`;
}

class IndexBuilder {
  private readonly table = new TermTable();
  private readonly postings: PostingListBuilder[] = [];
  private readonly pages: unknown[][] = [];
  private readonly sectionNumbers = new NumberPacker();
  private readonly records: Uint8Array[] = [];
  private sectionCount = 0;
  // Counts of the current section, by term: heading, prose and code, and which terms have any.
  private counts = new Int32Array(3 * 4096);
  private readonly touched: number[] = [];

  addPage(documents: readonly SearchDocument[]): void {
    const first = documents[0] as SearchDocument;
    this.addPageFields(first, this.pages.length);
    this.pages.push(storedPage(first));
    documents.forEach((document, index) => {
      this.addSection(document, index === 0);
    });
  }

  private addPageFields(document: SearchDocument, page: number): void {
    const fields = new Map<number, number>();
    const add = (text: string, field: number) => {
      const count = this.table.read(text, false);
      for (let i = 0; i < count; i++) {
        const term = this.table.found[i] as number;
        fields.set(term, (fields.get(term) ?? 0) | field);
      }
    };
    add(document.pageTitle, PageField.title);
    add(document.path, PageField.path);
    add(document.description, PageField.description);
    add(document.keywords.join(' '), PageField.description);
    add(document.operation ?? '', PageField.operation);
    for (const label of document.trail ?? []) add(label, PageField.trail);
    const addName = (name: string, field: number) => {
      const key = nameTerm(name);
      if (key === '') return;
      const term = this.table.idOf(key);
      fields.set(term, (fields.get(term) ?? 0) | field);
    };
    // The fields of a name: title, menu label, last part of the path, method and route.
    addName(document.pageTitle, PageField.title);
    addName(document.sidebarTitle ?? '', PageField.description);
    addName(document.path.replace(/\/index$/, '').replace(/^.*\//, ''), PageField.path);
    addName(document.operation ?? '', PageField.operation);
    for (const key of operationTerms(document.operation ?? '', document.operationId)) {
      fields.set(this.table.idOf(key), PageField.operation);
    }
    for (const [term, mask] of fields) this.postingsOf(term).addPage(page, mask);
  }

  private addSection(document: SearchDocument, opensPage: boolean): void {
    const heading = document.headings.at(-1) ?? '';
    this.count(heading, 0);
    const proseLength = this.count(document.text, 1);
    const codeLength = this.count(document.code, 2);
    const { counts } = this;
    for (const term of this.touched) {
      const at = term * 3;
      const packed = packCounts(counts[at] as number, counts[at + 1] as number, counts[at + 2] as number);
      this.postingsOf(term).addSection(this.sectionCount, packed);
      counts[at] = 0;
      counts[at + 1] = 0;
      counts[at + 2] = 0;
    }
    this.touched.length = 0;
    const name = nameTerm(heading);
    if (name !== '') this.postingsOf(this.table.idOf(name)).addSection(this.sectionCount, packCounts(1, 0, 0));
    this.sectionCount++;
    const record = encodeUtf8(storedSection(document));
    this.records.push(record);
    this.sectionNumbers.push(proseLength * 2 + (opensPage ? 1 : 0));
    this.sectionNumbers.push(codeLength);
    this.sectionNumbers.push(record.length);
  }

  /** Counts the terms of one field (0 heading, 1 prose, 2 code) of the current section. Returns the number of words. */
  private count(text: string, field: number): number {
    if (text === '') return 0;
    const { table, touched } = this;
    const count = table.read(text, field > 0);
    const { found } = table;
    if (table.terms.size * 3 > this.counts.length) this.growCounts(table.terms.size * 3);
    const { counts } = this;
    for (let i = 0; i < count; i++) {
      const term = found[i] as number;
      const at = term * 3;
      if (counts[at] === 0 && counts[at + 1] === 0 && counts[at + 2] === 0) touched.push(term);
      (counts[at + field] as number)++;
    }
    return table.wordCount;
  }

  private growCounts(needed: number): void {
    const larger = new Int32Array(Math.max(needed, this.counts.length * 2));
    larger.set(this.counts);
    this.counts = larger;
  }

  private postingsOf(term: number): PostingListBuilder {
    let list = this.postings[term];
    if (list === undefined) {
      list = new PostingListBuilder();
      this.postings[term] = list;
    }
    return list;
  }

  toBytes(links: Uint8Array): Uint8Array {
    // Sorting without a comparison function uses code units: platform-independent, and the order that lookups expect.
    const terms = [...this.table.terms.keys()].sort();
    const words = [...this.table.words.keys()].sort();
    const rank = new Uint32Array(terms.length);
    const postings = new NumberPacker();
    const postingLengths = terms.map((term, index) => {
      const id = this.table.terms.get(term) as number;
      rank[id] = index;
      const start = postings.length;
      this.postingsOf(id).writeTo(postings);
      return postings.length - start;
    });
    return joinParts({
      pages: encodeUtf8(JSON.stringify(this.pages)),
      words: encodeUtf8(words.join('\n')),
      wordTerms: packNumbers(words.map((word) => rank[this.table.words.get(word) as number] as number)),
      terms: encodeUtf8(terms.join('\n')),
      postingLengths: packNumbers(postingLengths),
      postings: postings.toBytes(),
      sections: this.sectionNumbers.toBytes(),
      records: concatenate(this.records),
      links,
    });
  }
}

/**
 * Builds the search index of a site.
 * @param documents the sections of all pages; those of one page in reading order. Page properties (title, description, boost,
 *   labels) are read from its first section
 * @returns the serialized index, deterministic; `loadSearchIndex` opens it
 */
export function buildSearchIndex(documents: readonly SearchDocument[]): Uint8Array {
  const byPage = new Map<string, SearchDocument[]>();
  for (const document of documents) {
    const page = byPage.get(document.path);
    if (page === undefined) byPage.set(document.path, [document]);
    else page.push(document);
  }
  const builder = new IndexBuilder();
  for (const page of byPage.values()) builder.addPage(page);
  return builder.toBytes(packLinks([...byPage.values()]));
}
