import { BestItems } from '../best-first.ts';
import {
  countsOf,
  gapOf,
  NumberReader,
  PageField,
  UNPACKED_COUNTS,
} from '../index/index-format.ts';
import { isOther, labelsOf, type RankedPage, type SearchData } from '../index/search-data.ts';
import type { SearchOptions } from '../search-index.ts';
import type { QueryGroup } from './query-groups.ts';
import { rankingWeights as weights } from './ranking-weights.ts';

/**
 * Weights of packed counts, indexed by count: the length-normalized part, that of headings, and
 * both for the page.
 */
const bodyWeight = Float32Array.from(
  UNPACKED_COUNTS,
  ({ prose, code }) => prose * weights.prose + code * weights.code,
);
const headingWeight = Float32Array.from(
  UNPACKED_COUNTS,
  ({ heading }) => heading * weights.heading,
);
const inPageWeight = bodyWeight.map(
  (body, packed) => body + (headingWeight[packed] as number) * 0.5,
);
/** Weight of packed page fields without the title, whose length is normalized separately. */
const fieldsWeight = Float32Array.from({ length: PageField.trail }, (_, fields) =>
  weightOfFields(fields),
);

/**
 * Of a longer page, such as a reference of all settings, only its best sections are candidates:
 * others must fit too.
 */
const MAX_SECTIONS_OF_PAGE = 40;

/**
 * Scores every section for a query: BM25 over weighted fields, once for the section itself and once
 * for its whole page, because a question's words are often spread over a page. One instance serves
 * one index; its arrays are reused.
 */
export class SectionScorer {
  private readonly data: SearchData;
  /** Weighted occurrences of the current group. */
  private readonly inSection: Float32Array;
  private readonly inPageBody: Float32Array;
  private readonly inPageHead: Float32Array;
  private readonly sectionScore: Float32Array;
  private readonly pageScore: Float32Array;
  private readonly touchedSections: Uint32Array;
  private readonly touchedPages: Uint32Array;
  private touchedSectionCount = 0;
  private touchedPageCount = 0;

  constructor(data: SearchData) {
    this.data = data;
    this.sectionScore = new Float32Array(data.sectionCount);
    this.pageScore = new Float32Array(data.pages.length);
    this.inSection = new Float32Array(data.sectionCount);
    this.inPageBody = new Float32Array(data.pages.length);
    this.inPageHead = new Float32Array(data.pages.length);
    this.touchedSections = new Uint32Array(data.sectionCount);
    this.touchedPages = new Uint32Array(data.pages.length);
  }

  /**
   * Returns scores 0–1, where 1 would be a section and page that are entirely about every word of
   * the query.
   * @param pageFactor factor for the score of each page in scope
   * @param most maximum number of sections
   * @returns the best sections, best first; scores that are valid for them, which the next call
   *   overwrites; and whether each
   * content word that the index has is in scope
   */
  score(
    groups: readonly QueryGroup[],
    scope: SearchScope,
    pageFactor: (page: number) => number,
    most: number,
  ): { sections: number[]; scores: Float32Array; hasAllWords: boolean } {
    const { sectionScore, pageScore } = this;
    sectionScore.fill(0);
    pageScore.fill(0);
    const isGrammar = ({ importance }: QueryGroup) => importance <= weights.variants.stopWord;
    let ideal = 0;
    let hasAllWords = true;
    for (const group of groups) {
      if (isGrammar(group)) continue;
      const { worth, isFound } = this.addGroup(group, scope, false);
      ideal += worth;
      if (!isFound && group.variants.size > 0) hasAllWords = false;
    }
    const knowsContent = pageScore.some((score) => score > 0);
    // Function words may break ties between pages that match content words, but are no match by
    // themselves.
    for (const group of groups) {
      if (isGrammar(group)) ideal += this.addGroup(group, scope, knowsContent).worth;
    }
    return { sections: this.combine(ideal, pageFactor, most), scores: sectionScore, hasAllWords };
  }

  /**
   * Adds the scores of a group to pages and sections; returns their maximum, and whether anything
   * in scope matches the group.
   */
  private addGroup(
    group: QueryGroup,
    scope: SearchScope,
    onlyKnown: boolean,
  ): { worth: number; isFound: boolean } {
    const {
      data,
      touchedPages,
      touchedSections,
      inSection,
      inPageBody,
      inPageHead,
      sectionScore,
      pageScore,
    } = this;
    const worth = this.collect(group, scope, onlyKnown) * group.importance;
    for (let i = 0; i < this.touchedPageCount; i++) {
      const page = touchedPages[i] as number;
      const weighted = (inPageBody[page] as number) + (inPageHead[page] as number);
      (pageScore[page] as number) += (worth * weighted) / (weighted + weights.pageSaturation);
    }
    for (let i = 0; i < this.touchedSectionCount; i++) {
      const section = touchedSections[i] as number;
      const head =
        (inPageHead[data.pageOfSection[section] as number] as number) * weights.titleInSection;
      const weighted = (inSection[section] as number) + head;
      (sectionScore[section] as number) +=
        (worth * weighted) / (weighted + weights.sectionSaturation);
    }
    const isFound = this.touchedPageCount > 0;
    this.resetGroup();
    return { worth, isFound };
  }

  /**
   * Mixes the page scores into those of their sections; returns the best sections of all pages with
   * a score.
   */
  private combine(ideal: number, pageFactor: (page: number) => number, most: number): number[] {
    const { sectionScore, pageScore } = this;
    const { firstSection } = this.data;
    const { pageShare } = weights;
    const best = new BestItems(most);
    for (let page = 0; page < pageScore.length; page++) {
      const ofPage = pageScore[page] as number;
      if (ofPage === 0) continue;
      const factor = pageFactor(page) / ideal;
      const [from, end] = [firstSection[page] as number, firstSection[page + 1] as number];
      const isLong = end - from > MAX_SECTIONS_OF_PAGE;
      const kept = isLong ? new BestItems(MAX_SECTIONS_OF_PAGE) : best;
      for (let section = from; section < end; section++) {
        const score =
          (ofPage * pageShare + (sectionScore[section] as number) * (1 - pageShare)) * factor;
        // Of equal sections the first stays, and they come in ascending order.
        if (score <= Math.max(best.floor, kept.floor)) continue;
        sectionScore[section] = score;
        kept.offer(section, sectionScore[section] as number);
      }
      if (isLong)
        for (const section of kept.inOrder()) best.offer(section, sectionScore[section] as number);
    }
    return best.inOrder();
  }

  /** Sums the occurrences of a group's terms, and returns the group's rarity. */
  private collect(group: QueryGroup, scope: SearchScope, onlyKnown: boolean): number {
    let frequency = 0;
    for (const [term, variant] of group.variants) {
      // Postings are read where they are used: unpacking them first would take a third of the time
      // of a query.
      const postings = new NumberReader(this.data.packedPostings(term));
      frequency = Math.max(
        frequency,
        this.addSections(postings, variant, scope, onlyKnown) * variant,
      );
      this.addPages(postings, variant, scope, onlyKnown);
    }
    return Math.log(1 + (scope.sectionCount + 0.5) / (frequency + 0.5));
  }

  /** Returns the number of sections in scope that contain the term. */
  private addSections(
    postings: NumberReader,
    variant: number,
    { included, sectionNorm, pageNorm }: SearchScope,
    onlyKnown: boolean,
  ): number {
    const { pageOfSection, firstSection, sectionCount } = this.data;
    const { inSection, inPageBody, pageScore, touchedSections } = this;
    let { touchedSectionCount } = this;
    let matchCount = 0;
    let section = -1;
    // Sections come in order, so a page is looked up once.
    let [page, end, norm] = [0, 0, 0];
    let [isIncluded, isKnown] = [false, false];
    for (let left = Math.min(postings.next(), sectionCount); left > 0; left--) {
      const first = postings.next();
      section += gapOf(first);
      const packed = countsOf(first, postings);
      if (section >= end) {
        page = pageOfSection[section] as number;
        end = firstSection[page + 1] as number;
        norm = pageNorm[page] as number;
        isIncluded = included[page] !== 0;
        isKnown = isIncluded && (!onlyKnown || pageScore[page] !== 0);
        if (isKnown) this.touchPage(page);
      }
      if (isIncluded) matchCount++;
      if (!isKnown) continue;
      if (inSection[section] === 0) touchedSections[touchedSectionCount++] = section;
      const body = (bodyWeight[packed] as number) * (sectionNorm[section] as number);
      (inSection[section] as number) += variant * ((headingWeight[packed] as number) + body);
      (inPageBody[page] as number) += variant * (inPageWeight[packed] as number) * norm;
    }
    this.touchedSectionCount = touchedSectionCount;
    return matchCount;
  }

  private addPages(
    postings: NumberReader,
    variant: number,
    { included, titleNorm }: SearchScope,
    onlyKnown: boolean,
  ): void {
    const { inPageHead, pageScore } = this;
    let page = -1;
    for (let left = Math.min(postings.next(), pageScore.length); left > 0; left--) {
      page += postings.next() + 1;
      // The menu place belongs to the second stage: all pages of a group share it.
      const of = postings.next() & ~PageField.trail;
      if (of === 0 || included[page] === 0 || (onlyKnown && pageScore[page] === 0)) continue;
      this.touchPage(page);
      const title = of & PageField.title ? weights.title * (titleNorm[page] as number) : 0;
      (inPageHead[page] as number) += variant * (title + (fieldsWeight[of] as number));
    }
  }

  private touchPage(page: number): void {
    if (this.inPageBody[page] === 0 && this.inPageHead[page] === 0)
      this.touchedPages[this.touchedPageCount++] = page;
  }

  private resetGroup(): void {
    for (let i = 0; i < this.touchedSectionCount; i++)
      this.inSection[this.touchedSections[i] as number] = 0;
    for (let i = 0; i < this.touchedPageCount; i++) {
      this.inPageBody[this.touchedPages[i] as number] = 0;
      this.inPageHead[this.touchedPages[i] as number] = 0;
    }
    this.touchedSectionCount = 0;
    this.touchedPageCount = 0;
  }
}

function weightOfFields(fields: number): number {
  let weight = 0;
  if (fields & PageField.path) weight += weights.path;
  if (fields & PageField.description) weight += weights.description;
  if (fields & PageField.operation) weight += weights.operation;
  return weight;
}

/**
 * The pages in scope, with their lengths normalized by the average of just these: other languages
 * use other words and longer texts.
 */
export interface SearchScope {
  /** 1 for each page in scope. */
  included: Uint8Array;
  /** The only version in scope. */
  version: string | undefined;
  sectionCount: number;
  /** Length normalization factors of each section, each page and each title. */
  sectionNorm: Float32Array;
  pageNorm: Float32Array;
  titleNorm: Float32Array;
}

/**
 * Reading a page's labels for each query would cost as much as ranking; sites have few versions and
 * languages.
 */
const MAX_REMEMBERED = 8;

/** Creates the scopes of one index and caches the last few. */
export function createScopes(data: SearchData) {
  const remembered = new Map<string, SearchScope>();

  /** A default that no page has would exclude all pages. */
  function knownVersion(version: string | undefined): string | undefined {
    return version !== undefined &&
      data.pages.some((page) => labelsOf(page, 'version').includes(version))
      ? version
      : undefined;
  }

  function measure(included: Uint8Array, version: string | undefined): SearchScope {
    const isIncluded = (page: number) => included[page] === 1;
    return {
      included,
      version,
      sectionCount: data.pageOfSection.reduce(
        (count, page) => count + (included[page] as number),
        0,
      ),
      sectionNorm: lengthNorms(
        data.sectionLength,
        (section) => isIncluded(data.pageOfSection[section] as number),
        weights.sectionLength,
      ),
      pageNorm: lengthNorms(data.pageLength, isIncluded, weights.pageLength),
      titleNorm: lengthNorms(data.titleLength, isIncluded, weights.titleLength),
    };
  }

  /**
   * @param current the reader's current page, whose version counts if the filter names none
   * @param spoken the only language in scope if the filter names none
   */
  return (
    { filter = {}, defaults }: SearchOptions,
    current: Pick<RankedPage, 'version' | 'versions'> | undefined,
    spoken?: string,
  ): SearchScope => {
    const standard = knownVersion(defaults?.version);
    const isShared = standard !== undefined && current?.versions?.includes(standard) === true;
    const version = filter.version ?? (isShared ? standard : (current?.version ?? standard));
    const { language = spoken, tag, groups } = filter;
    const key = JSON.stringify([version, language, tag, groups]);
    const cachedScope = remembered.get(key);
    if (cachedScope) return cachedScope;
    if (remembered.size >= MAX_REMEMBERED)
      remembered.delete(remembered.keys().next().value as string);
    const isIn = (page: RankedPage) => isFound(page, { version, language, tag, groups });
    const scope = measure(
      Uint8Array.from(data.pages, (page) => (isIn(page) ? 1 : 0)),
      version,
    );
    remembered.set(key, scope);
    return scope;
  };
}

function isFound(
  page: RankedPage,
  { version, language, tag, groups = [] }: NonNullable<SearchOptions['filter']>,
): boolean {
  if (page.groups !== undefined && !page.groups.some((group) => groups.includes(group)))
    return false;
  // A page without a label belongs to every version and language.
  if (isOther(page, 'version', version) || isOther(page, 'language', language)) return false;
  return tag === undefined || page.tag === tag;
}

function lengthNorms(
  lengths: Float32Array,
  isIncluded: (index: number) => boolean,
  share: number,
): Float32Array {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < lengths.length; i++) {
    if (!isIncluded(i)) continue;
    sum += lengths[i] as number;
    count++;
  }
  const average = sum / count || 1;
  return lengths.map((length) => 1 / (1 - share + (share * length) / average));
}
