import { bestFirst } from '../best-first.ts';
import {
  folderOf,
  isOther,
  labelsOf,
  plainPath,
  type RankedPage,
  type SearchData,
} from '../index/search-data.ts';
import { asPage, labelledFor } from '../index/stored-document.ts';
import {
  type FoundByName,
  findNamed,
  namedTerms,
  pagesStartingWith,
} from '../query/named-sections.ts';
import { proximity, queryGroups } from '../query/query-groups.ts';
import { rankingWeights as weights } from '../query/ranking-weights.ts';
import { createScopes, type SearchScope, SectionScorer } from '../query/score-sections.ts';
import type {
  ScoredSection,
  SearchDocument,
  SearchHit,
  SearchIndex,
  SearchOptions,
} from '../search-index.ts';
import { pagesFor, siteSynonyms } from '../search-rules.ts';
import { MAX_SECTIONS, type Rows, SecondStage } from '../second-stage/order-pages.ts';
import { IndexData } from './index-data.ts';

/**
 * Candidates whose text is read for the final ranking; reading costs more than everything before
 * it.
 */
const MAX_REREAD = 16;
/** Of a long section, only the beginning is read again, where it says what it is about. */
const MAX_REREAD_LENGTH = 2500;
const NOTHING_BEGUN: ReadonlyMap<number, number> = new Map();
const MAX_HITS_OF_PAGE = 12;
/** Minimum score of an exact name match. */
const NAMED_SCORE = 0.9;

/** Options for benchmarks and training only. */
export interface RankingOptions {
  /** Keeps the order of the first stage. */
  firstStageOnly?: boolean;
  /** Observes the input of the second stage. */
  onRows?: (rows: Rows) => void;
}

/**
 * Opens a serialized index. Cheap: texts and postings are decoded when a query needs them.
 * @throws Error if the bytes are not an index of this version
 */
export function loadSearchIndex(bytes: Uint8Array, options?: RankingOptions): SearchIndex {
  return searchIndexOf(new IndexData(bytes), options);
}

/** The factor of a page's score. */
interface PageFactors {
  pageFactor: (page: number) => number;
  /** The part of it that depends only on the reader and the author. */
  readerFactor: (page: number) => number;
}

/** Searches an index, however it is stored. */
export function searchIndexOf(
  data: SearchData,
  { firstStageOnly, onRows }: RankingOptions = {},
): SearchIndex {
  const languages = labels(data.pages, 'language');
  const scopeOf = createScopes(data);
  const scorer = new SectionScorer(data);
  const pagePrior = pagePriors(data.pages);
  const secondStage = new SecondStage(data);

  /**
   * Returns the hits for the words of the query, best first, from the first scope if it has them
   * all.
   */
  function wordHits(
    query: string,
    { completeLastWord = true, limit, rules }: SearchOptions,
    tried: readonly SearchScope[],
    { pageFactor, readerFactor }: PageFactors,
  ): ScoredSection[] {
    const groups = queryGroups(data, query, completeLastWord, siteSynonyms(rules));
    if (!groups.some((group) => group.variants.size > 0)) return [];
    const most = Math.max(MAX_SECTIONS, limit);
    const scoredIn = (scope: SearchScope) => scorer.score(groups, scope, pageFactor, most);
    const [first, other] = tried as [SearchScope, SearchScope?];
    let scored = scoredIn(first);
    if (other && !scored.hasAllWords) scored = scoredIn(other);
    const { sections: candidates, scores } = scored;
    const nearness = new Map<number, number>();
    for (const section of candidates.slice(0, MAX_REREAD)) {
      const near = proximity(groups, data.sectionText(section).slice(0, MAX_REREAD_LENGTH));
      nearness.set(section, near);
      (scores[section] as number) *= 1 + weights.proximity * near;
    }
    const ordered = bestFirst(candidates, scores, most);
    const sections = ordered.map((section) => ({
      section,
      score: spread(scores[section] as number),
    }));
    const firstStage = { groups, sections, nearness, readerFactor };
    if (onRows) onRows(secondStage.rows(firstStage));
    return (firstStageOnly ? sections : secondStage.reorder(firstStage)).slice(0, limit);
  }

  return {
    versions: labels(data.pages, 'version'),
    languages,
    search(query: string, options: SearchOptions): SearchHit[] {
      const currentPath = options.currentPath?.replace(/^\//, '') ?? '';
      const current = currentPath === '' ? undefined : data.labelsAt(currentPath);
      const scope = scopeOf(options, current);
      const reader = {
        folder: folderOf(currentPath),
        language: current?.language ?? options.defaults?.language,
      };
      const begun =
        (options.completeLastWord ?? true) ? pagesStartingWith(data, query) : NOTHING_BEGUN;
      const readerFactor = readerFactorOf(data, reader, begun);
      const pageFactor = (page: number) => readerFactor(page) * (pagePrior[page] as number);
      const isIncluded = (page: number) => scope.included[page] === 1;
      const queryTerms = namedTerms(data, query);
      // Pages of other languages share names and code with those of the reader's, and would crowd
      // out what is next to them there.
      const spoken = languages.find((language) => language === reader.language);
      const tried = new Set([scopeOf(options, current, spoken), scope]);
      const byWord = wordHits(query, options, [...tried], { pageFactor, readerFactor });
      const { limit, addMeaning } = options;
      const scoredSections =
        addMeaning?.(byWord, {
          pageOfSection: data.pageOfSection,
          isIncluded,
          pageFactor,
          limit,
        }) ?? byWord;
      const scores = new Map(scoredSections.map(({ section, score }) => [section, score]));
      const pageScores = new Map(
        scoredSections
          .toReversed()
          .map(({ section, score }) => [data.pageOfSection[section], score]),
      );
      const named = findNamed(data, queryTerms, begun, {
        isIncluded,
        isOther: (page) => isOther(data.pages[page] as RankedPage, 'language', reader.language),
        isNear: (page) => reader.folder !== '' && data.pages[page]?.folder === reader.folder,
        score: ({ section, page }, isHeading) =>
          (isHeading ? scores.get(section) : pageScores.get(page)) ?? 0,
      });
      const ruled = withRules(data, hitsOf(data, named, scoredSections), {
        pages: pagesFor(options.rules, query),
        isIncluded,
      });
      const hits = withOthers(ruled, limit);
      for (const { document } of hits)
        labelledFor(document, { version: scope.version, language: reader.language });
      return hits;
    },
    sectionsOf(path: string): SearchDocument[] {
      const page = data.pageAt(plainPath(path));
      if (page < 0 || data.pages[page]?.groups !== undefined) return [];
      const [from, to] = [data.firstSection[page] as number, data.firstSection[page + 1] as number];
      return Array.from({ length: to - from }, (_, at) => data.document(from + at));
    },
  };
}

/** Puts the pages first that the owners of the site pin for the query, and leaves out those that they block. */
function withRules(
  data: SearchData,
  hits: SearchHit[],
  {
    pages,
    isIncluded,
  }: { pages: ReturnType<typeof pagesFor>; isIncluded: (page: number) => boolean },
): SearchHit[] {
  if (pages === undefined) return hits;
  const numbersOf = (paths: readonly string[]) =>
    paths.map((path) => data.pageAt(plainPath(path))).filter((page) => page >= 0);
  const pinned = [...new Set(numbersOf(pages.pin))].filter(isIncluded);
  const pinnedPaths = new Set(
    pinned.map((page) => data.document(data.firstSection[page] as number).path),
  );
  const blocked = new Set(
    numbersOf(pages.block).map((page) => data.document(data.firstSection[page] as number).path),
  );
  const best = Math.max(NAMED_SCORE, hits[0]?.score ?? 0);
  const first = pinned.flatMap((page) => sectionsOfPinned(data, page, hits, best));
  return [
    ...first,
    ...hits.filter(({ document: { path } }) => !pinnedPaths.has(path) && !blocked.has(path)),
  ];
}

/** The sections that match the query come before the others of the page. */
function sectionsOfPinned(
  data: SearchData,
  page: number,
  hits: readonly SearchHit[],
  score: number,
): SearchHit[] {
  const [from, to] = [data.firstSection[page] as number, data.firstSection[page + 1] as number];
  const documents = Array.from({ length: Math.min(to - from, MAX_HITS_OF_PAGE) }, (_, at) =>
    data.document(from + at),
  );
  const matching = hits.filter(({ document: { path } }) => path === documents[0]?.path);
  const anchors = new Set(matching.map(({ document }) => document.anchor));
  const others = documents.filter(({ anchor }) => !anchors.has(anchor));
  return [...matching.map(({ document }) => document), ...others].map((document) => ({
    document,
    score,
    share: 1,
    isNamed: true,
    isPinned: true,
  }));
}

/**
 * Returns the first hits, of which one page has at most some: the others must not be left out for
 * them.
 */
function withOthers(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const counts = new Map<string, number>();
  const kept: SearchHit[] = [];
  for (const hit of hits) {
    if (kept.length === limit) break;
    const count = counts.get(hit.document.path) ?? 0;
    if (count === MAX_HITS_OF_PAGE) continue;
    counts.set(hit.document.path, count + 1);
    kept.push(hit);
  }
  return kept;
}

/** Puts exact name matches first, then the other hits. */
function hitsOf(
  data: SearchData,
  named: readonly FoundByName[],
  scoredSections: readonly ScoredSection[],
): SearchHit[] {
  const best = Math.max(NAMED_SCORE, scoredSections[0]?.score ?? 0);
  const shares = new Map(
    scoredSections.map(({ section, share }) => [data.pageOfSection[section], share]),
  );
  const first = named.map(({ section, isPage, isOwn }): SearchHit => {
    const document = data.document(section);
    const share = shares.get(data.pageOfSection[section]);
    return {
      document: isPage ? asPage(document) : document,
      score: best,
      ...(share !== undefined && { share }),
      ...(isOwn && { isNamed: true }),
    };
  });
  const sections = new Set(named.map(({ section }) => section));
  const others = scoredSections.filter(({ section }) => !sections.has(section));
  return [
    ...first,
    ...others.map(({ section, ...worth }) => ({ document: data.document(section), ...worth })),
  ];
}

/**
 * The query-independent factors of a page: the author's boost, the text typed so far, the reader's
 * folder and language.
 */
function readerFactorOf(
  data: SearchData,
  reader: { folder: string; language: string | undefined },
  begun: ReadonlyMap<number, number>,
): (page: number) => number {
  return (number) => {
    const page = data.pages[number] as RankedPage;
    const { boost, folder } = page;
    const typed = 1 + weights.begunName * (begun.get(number) ?? 0);
    const nearby = reader.folder !== '' && folder === reader.folder ? 1 + weights.neighbourhood : 1;
    const spoken = isOther(page, 'language', reader.language) ? weights.otherLanguage : 1;
    return typed * nearby * spoken * Math.max(boost, 0) ** weights.boostPower;
  };
}

/** Does not reveal labels of protected pages. */
function labels(pages: readonly RankedPage[], label: 'version' | 'language'): string[] {
  const open = pages.filter((page) => page.groups === undefined);
  return [...new Set(open.flatMap((page) => labelsOf(page, label)))];
}

/**
 * Even a perfect page rarely contains the words of a question often, so raw scores are near 0; the
 * root spreads them over 0–1.
 */
function spread(score: number): number {
  return Math.min(1, Math.sqrt(score));
}

/**
 * The query-independent weight of each page. A folder of hundreds of pages is a list of similar
 * things: operations, error codes, classes, changelog entries. Each of them uses the words of its
 * subject as often as the guide that explains it, and together they would fill the top ranks.
 */
function pagePriors(pages: readonly RankedPage[]): Float32Array {
  const folderSizes = new Map<string, number>();
  for (const page of pages) {
    if (page.folder !== '') folderSizes.set(page.folder, (folderSizes.get(page.folder) ?? 0) + 1);
  }
  return Float32Array.from(pages, ({ folder, isOperation }) => {
    const crowd = 1 - weights.folderSize * Math.log2(1 + (folderSizes.get(folder) ?? 0));
    return Math.max(crowd, 0.1) * (isOperation ? weights.operationPage : 1);
  });
}
