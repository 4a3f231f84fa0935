import type { SecondStageWeights } from './second-stage/second-stage-weights.ts';

/** One section of one page as the index takes it. */
export interface SearchDocument {
  /** `BuiltPage.path`. */
  path: string;
  href: string;
  pageTitle: string;
  /** What the menu calls the page, where that is not its title. Searched, but not given back by a hit. */
  sidebarTitle?: string;
  /** Page description; searched with the first section only. */
  description: string;
  keywords: string[];
  /** `GET /users/{id}` on API pages. */
  operation?: string;
  /** What code calls the operation. Searched, but not given back by a hit. */
  operationId?: string;
  anchor: string;
  headings: string[];
  /** Markdown of the section: what a hit shows and an answer quotes. */
  markdown: string;
  text: string;
  code: string;
  boost: number;
  version?: string;
  language?: string;
  tag?: string;
  /** Labels of what the page stands in, outermost first. */
  trail?: string[];
  /** Who may read the page, where not everybody may. */
  groups?: string[];
}

export interface SearchFilter {
  version?: string;
  language?: string;
  tag?: string;
  /** The groups that the reader is in. Pages of other groups are left out, and so they are where this is absent. */
  groups?: readonly string[];
}

export interface SearchOptions {
  /** Most hits returned; at most one for each section. */
  limit: number;
  filter?: SearchFilter;
  /**
   * Page that the reader is on: its neighbourhood is preferred slightly, its language too, and where the filter names no
   * version, other versions than its own are left out.
   */
  currentPath?: string;
  /** Whether the last word may be the beginning of a longer one, as while somebody types. Default: yes. */
  completeLastWord?: boolean;
  /** Version and language of the site where neither the filter nor the current page says any. */
  defaults?: { version?: string; language?: string };
  /** Puts what is near in meaning beside what has the words. Where it is not given, words alone decide. */
  addMeaning?: AddMeaning;
  /** What a model says of the pages: two more columns of the second stage, where the index is kept whole. */
  pageMeaning?: PageMeaning;
}

/** How near the pages of an index are to a query in meaning. */
export interface PageMeaning {
  /** By page, −1 to 1. */
  nearness: Float32Array;
  /** Weights of a second stage that was trained with this model. */
  weights: SecondStageWeights;
}

export interface SearchHit {
  document: SearchDocument;
  /** 0–1, best first. */
  score: number;
  /** How likely its page is the one that was meant, among the first pages that have the words: 0–1, all together 1. */
  share?: number;
  /** The query is the name of the page or of the section: whoever orders hits anew leaves this one where it is. */
  isNamed?: true;
}

/** A section by its number in the index. */
export interface ScoredSection {
  section: number;
  /** 0–1. */
  score: number;
  /** As `SearchHit.share`. */
  share?: number;
}

/** What may be found by a query, and how its pages are weighed. */
export interface FoundScope {
  pageOfSection: Uint32Array;
  /** Whether the filter lets a page be found. */
  isIncluded: (page: number) => boolean;
  /** What a page's worth is multiplied by: its boost, its language, its nearness to the reader. */
  pageFactor: (page: number) => number;
  limit: number;
}

/** Takes what was found by words, best first, and gives what is found altogether, best first, at most `limit`. */
export type AddMeaning = (byWord: readonly ScoredSection[], scope: FoundScope) => ScoredSection[];

/** A loaded index. Loading and searching are pure; the same code runs in the server and in the browser. */
export interface SearchIndex {
  readonly documentCount: number;
  readonly pageCount: number;
  search(query: string, options: SearchOptions): SearchHit[];
  /** The sections of the page at a path or an address of the site, in order; none where not everybody may read it. */
  sectionsOf(path: string): SearchDocument[];
  /** Labels of versions and languages that the index knows. */
  readonly versions: readonly string[];
  readonly languages: readonly string[];
}
