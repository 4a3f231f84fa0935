import type { SearchRules } from './search-rules.ts';

/** A section of a page, as input of the index. */
export interface SearchDocument {
  /** `BuiltPage.path`. */
  path: string;
  href: string;
  pageTitle: string;
  /** The menu label of the page, if it is not its title. Indexed, but not part of a hit. */
  sidebarTitle?: string;
  /** Page description; indexed with the first section only. */
  description: string;
  keywords: string[];
  /** `GET /users/{id}` on API pages. */
  operation?: string;
  /** The operation's name in code. Indexed, but not part of a hit. */
  operationId?: string;
  anchor: string;
  headings: string[];
  /** Markdown of the section: shown by hits and quoted by answers. */
  markdown: string;
  text: string;
  code: string;
  boost: number;
  version?: string;
  language?: string;
  /** All versions of a page that several of them list, its own first; likewise its languages. */
  versions?: string[];
  languages?: string[];
  tag?: string;
  /** Labels of the enclosing navigation, outermost first. */
  trail?: string[];
  /** Who may read the page, if it is not public. */
  groups?: string[];
}

export interface SearchFilter {
  version?: string;
  language?: string;
  tag?: string;
  /** The reader's groups. Excludes pages of other groups; if absent, all restricted pages. */
  groups?: readonly string[];
}

export interface SearchOptions {
  /** Maximum hits; at most one for each section. */
  limit: number;
  filter?: SearchFilter;
  /**
   * The reader's current page: slightly prefers its neighborhood and its language and, if the
   * filter names no version, excludes other versions than its own.
   */
  currentPath?: string;
  /** Whether the last word may be a prefix, as while typing. Default: yes. */
  completeLastWord?: boolean;
  /** Default version and language, if neither the filter nor the current page sets them. */
  defaults?: { version?: string; language?: string };
  /** How the owners of the site steer its search. */
  rules?: SearchRules | undefined;
  /** Adds semantic hits to the keyword hits. Without it, only keywords count. */
  addMeaning?: AddMeaning;
}

/** Trained weights of the columns of the second stage, per unit of their values. */
export interface SecondStageWeights {
  /** In the order of `PAGE_COLUMNS`. */
  page: readonly number[];
  /** In the order of `QUERY_COLUMNS`. */
  query: readonly number[];
}

export interface SearchHit {
  document: SearchDocument;
  /** 0–1, best first. */
  score: number;
  /**
   * The probability that its page is the right one, among the first pages that match: 0–1, summing
   * to 1.
   */
  share?: number;
  /** The query is the name of the page or of the section: rerankers keep this hit where it is. */
  isNamed?: true;
  /** A rule of the site's owners pins its page for the query. */
  isPinned?: true;
}

/** A section by its number in the index. */
export interface ScoredSection {
  section: number;
  /** 0–1. */
  score: number;
  /** As `SearchHit.share`. */
  share?: number;
}

/** The pages that a query may find, and their weights. */
export interface FoundScope {
  pageOfSection: Uint32Array;
  /** Returns whether the filter includes a page. */
  isIncluded: (page: number) => boolean;
  /** Returns the factor of a page: its boost, its language, its distance from the reader. */
  pageFactor: (page: number) => number;
  limit: number;
}

/** Takes the keyword hits, best first, and returns all hits, best first, at most `limit`. */
export type AddMeaning = (byWord: readonly ScoredSection[], scope: FoundScope) => ScoredSection[];

/**
 * A loaded index. Loading and searching are pure; the same code runs in the server and in the
 * browser.
 */
export interface SearchIndex {
  search(query: string, options: SearchOptions): SearchHit[];
  /**
   * Returns the sections of the page at a path or a URL of the site, in order; none if the page is
   * not public.
   */
  sectionsOf(path: string): SearchDocument[];
  /** Labels of versions and languages in the index. */
  readonly versions: readonly string[];
  readonly languages: readonly string[];
}

/** A page with its matching sections. */
export interface PageHit {
  path: string;
  /** 0–1: that of its best section, which already includes the match of the whole page. */
  score: number;
  /** As `SearchHit.share`; absent for lower ranks, and if a page has none of the words. */
  share?: number;
  /** Best first. */
  sections: SearchHit[];
}

/** Groups hits by page. Takes hits best first, returns pages best first. */
export function groupByPage(hits: readonly SearchHit[]): PageHit[] {
  const pages = new Map<string, PageHit>();
  for (const hit of hits) {
    const { path } = hit.document;
    const page: PageHit = pages.get(path) ?? { path, score: hit.score, sections: [] };
    pages.set(path, page);
    page.sections.push(hit);
    if (hit.share !== undefined) page.share ??= hit.share;
  }
  return [...pages.values()];
}
