import { PageField, readPostings } from '../index/index-format.ts';
import type { SearchData } from '../index/search-data.ts';
import { commonWords, foldWord, stopWords } from '../words/tokenize.ts';
import { MAX_QUERY_LENGTH } from './query-groups.ts';

/**
 * No term of a text contains this character, so that one index can contain both names and words.
 */
export const NAME_MARK = '=';
/** Longer names are equal if they start alike. */
const MAX_NAME_LENGTH = 200;
const MAX_KEY_LENGTH = 80;
/** `C++` and `C#` are not C. */
const NAME_PARTS = /[\p{L}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;

/**
 * Returns the term under which a name is indexed: its letters and digits without case, accents,
 * spaces and punctuation, so that
 * `Custom domain`, `custom-domain` and `CustomDomain` are one name.
 * @returns an empty text if the name has neither letters nor digits
 */
export function nameTerm(name: string): string {
  const parts = foldWord(name.slice(0, MAX_NAME_LENGTH)).match(NAME_PARTS);
  return parts === null ? '' : NAME_MARK + parts.join('').slice(0, MAX_KEY_LENGTH);
}

/** Returns the terms of the same name in the singular and the plural. */
export function otherNumber(term: string): string[] {
  if (!/[a-z]{3}$/.test(term)) return [];
  if (term.endsWith('ies')) return [`${term.slice(0, -3)}y`, term.slice(0, -1)];
  if (/(?:s|x|ch|sh)es$/.test(term)) return [term.slice(0, -2), term.slice(0, -1)];
  if (/[^s]s$/.test(term)) return [term.slice(0, -1)];
  if (/[^aeiou]y$/.test(term)) return [`${term.slice(0, -1)}ies`];
  return /(?:s|x|ch|sh)$/.test(term) ? [`${term}es`] : [`${term}s`];
}

/** Follows the name marker, so that no title equals a route. */
const ROUTE_MARK = `${NAME_MARK}/`;
const MAX_ROUTE_LENGTH = 200;
const MAX_SEGMENTS = 12;
/** A path in a question, with an optional method or server before it. */
const ROUTE =
  /(?:\b(get|put|post|delete|patch|options|head|trace)\s+)?(?:https?:\/\/[\w.:-]{1,100})?(\/?[\w{}<>:.~$@*-]{1,80}(?:\/[\w{}<>:.~$@*-]{0,80}){1,11}|\/[\w{}<>:.~$@*-]{1,80})/gi;
const MAX_ROUTES = 3;
/** Base paths of servers that a description omits from its routes. */
const MAX_LEFT_OUT = 2;
/** A code identifier that no product is named like. */
const CODE_NAME = /^(?:_*[^\W_]+_\w+|[a-z]{3,}\d*[A-Z][a-z]\w*)$/;
/** A code identifier, such as the name of an operation or of a webhook. */
const IDENTIFIER = /[A-Za-z][\w-]*(?:[a-z][A-Z]|\w[_.:]\w)[\w.:-]*/g;

/**
 * Returns the terms under which an operation is indexed: its route, the route with its method, and
 * its code identifiers. Names of path parameters are ignored.
 * @param operation `GET /users/{id}`
 */
export function operationTerms(operation: string, operationId: string | undefined): string[] {
  const [method = '', route = ''] = operation.split(' ');
  const isPath = route.startsWith('/');
  const names = [operationId ?? '', isPath ? '' : route].map((name) =>
    foldWord(name.slice(0, MAX_ROUTE_LENGTH)),
  );
  const codeNames = names.filter(Boolean).map(nameInCode);
  const path = isPath ? pathOf(route.split('/'), false) : '';
  return path === '' ? codeNames : [ROUTE_MARK + path, withMethod(path, method), ...codeNames];
}

/** Returns the terms of the routes and code identifiers in a query, most exact first. */
export function operationTermsIn(query: string): string[] {
  const terms: string[] = [];
  const read = query.slice(0, MAX_QUERY_LENGTH);
  for (const [, method, route = ''] of [...read.matchAll(ROUTE)].slice(0, MAX_ROUTES)) {
    const segments = route
      .replace(/(?<![.:])[.:]+$/, '')
      .split('/')
      .filter(Boolean);
    for (let left = 0; left <= Math.min(MAX_LEFT_OUT, segments.length - 1); left++) {
      for (const hasValues of [false, true]) {
        const path = pathOf(segments.slice(left), hasValues);
        if (method !== undefined) terms.push(withMethod(path, method));
        terms.push(ROUTE_MARK + path);
      }
    }
  }
  for (const [name] of [...read.matchAll(IDENTIFIER)].slice(0, MAX_ROUTES))
    terms.push(nameInCode(foldWord(name.replace(/(?<![.:-])[.:-]+$/, ''))));
  return [...new Set(terms)];
}

/**
 * Returns the names in a query that can only be code: `site_not_found`, `setInputFiles`; not
 * `GitHub` or `Node.js`.
 */
export function codeNamesIn(query: string): string[] {
  const names = query.slice(0, MAX_QUERY_LENGTH).match(IDENTIFIER) ?? [];
  return names.filter((name) => CODE_NAME.test(name)).slice(0, MAX_ROUTES);
}

function nameInCode(folded: string): string {
  return `${ROUTE_MARK}#${folded}`;
}

function withMethod(path: string, method: string): string {
  return `${ROUTE_MARK}${path}#${method.toLowerCase()}`;
}

/** @param hasValues whether a segment with digits may be the value of a parameter */
function pathOf(segments: readonly string[], hasValues: boolean): string {
  const isValue = (segment: string) => hasValues && /\d/.test(segment) && !/^v\d+$/i.test(segment);
  return segments
    .filter(Boolean)
    .slice(0, MAX_SEGMENTS)
    .map((segment) => (/[{}<>]|^:/.test(segment) || isValue(segment) ? '*' : foldWord(segment)))
    .join('/');
}

/** The fields of names that have none of their own in a page. */
export const NameField = { group: PageField.trail | PageField.operation, keyword: PageField.trail };

/** The visible properties in a list of sections with the same name. */
const MAX_NAMED = 10;

/** Maximum names, in alphabetical order, that a prefix may match. */
const MAX_BEGUN = 64;
/** Fewer letters match too many names. */
const MIN_TYPED = 3;
/** If this share of a name is typed, the name is being typed. */
const NEARLY_WHOLE = 0.6;

/**
 * How well a name is known: title of the page, menu label, last part of its path or operation, the
 * group that it begins, keyword, heading.
 */
const Rank = { title: 0, label: 1, path: 2, group: 3, keyword: 4, heading: 5 } as const;
type Rank = (typeof Rank)[keyof typeof Rank];

interface Named {
  section: number;
  page: number;
  rank: Rank;
}

/** A section with the requested name. */
export interface FoundByName {
  section: number;
  /** It is the first section of the page with the name. */
  isPage: boolean;
  /** The name is its own: no keyword, and not that of its group. */
  isOwn: boolean;
}

/** The tie-breakers between sections of one name. */
export interface NameScope {
  isIncluded: (page: number) => boolean;
  /** Whether the page's language differs from the reader's. */
  isOther: (page: number) => boolean;
  /** Whether the page is next to the reader's current one. */
  isNear: (page: number) => boolean;
  /** How well the section or, for a page, its best section matches by its words. */
  score: (named: Pick<Named, 'section' | 'page'>, isHeading: boolean) => number;
}

/**
 * Returns the terms of the index that a query names, first as typed, then in its singular or
 * plural.
 */
export function namedTerms(data: SearchData, query: string): number[] {
  const term = nameTerm(query);
  if (term === '') return [];
  // In a question a name is one word among others.
  const inCode = isShort(query)
    ? [...codeNamesIn(query).map(nameTerm), ...operationTermsIn(query)]
    : [];
  // All are looked up at once: a sharded index loads them together.
  return [term, ...otherNumber(term), ...inCode]
    .map((termText) => data.termId(termText))
    .filter((id) => id >= 0);
}

const MAX_WORDS_OF_NAME = 3;

/**
 * Whether a query has few words besides those of its grammar: “What does the error site_not_found
 * mean?”
 */
function isShort(query: string): boolean {
  const words =
    query
      .slice(0, MAX_QUERY_LENGTH)
      .toLowerCase()
      .match(/[^\s?!.,;]\S*/g) ?? [];
  return (
    words.filter((word) => !stopWords.has(word) && !commonWords.has(word)).length <=
    MAX_WORDS_OF_NAME
  );
}

/** Returns the pages whose name starts with the query, and the typed share of the name: 0–1. */
export function pagesStartingWith(data: SearchData, query: string): Map<number, number> {
  const shares = new Map<number, number>();
  const typed = nameTerm(query);
  if (typed.length <= MIN_TYPED) return shares;
  for (const { text, term } of data.termsFrom(typed, MAX_BEGUN)) {
    const share = typed.length / text.length;
    for (const { page, fields } of readPostings(data.packedPostings(term)).pages) {
      if (fields & (PageField.title | PageField.description))
        shares.set(page, Math.max(share, shares.get(page) ?? 0));
    }
  }
  return shares;
}

/**
 * Returns the sections with the name: the first one of a page, or the one below a heading, which
 * counts if no page in the reader's language has the name, or is alone in having it as a keyword.
 * The reader's language comes first, then how well the name is known, then the reader's
 * surroundings, pages of text, and the order of the navigation. If nothing has the name, returns
 * the pages whose name was typed almost completely.
 * @param terms as returned by `namedTerms`
 * @param begun as returned by `pagesStartingWith`
 */
export function findNamed(
  data: SearchData,
  terms: readonly number[],
  begun: ReadonlyMap<number, number>,
  scope: NameScope,
): FoundByName[] {
  for (const term of terms) {
    const named = sectionsNamed(data, term, scope);
    const isByKeyword =
      named.every(({ rank }) => rank >= Rank.keyword) &&
      named.some(({ rank }) => rank === Rank.keyword);
    if (named.length > 0)
      return inOrder(data, named, scope).slice(0, isByKeyword ? MAX_BY_KEYWORD : MAX_NAMED);
  }
  return [...begun]
    .filter(
      ([page, share]) => share >= NEARLY_WHOLE && scope.isIncluded(page) && !scope.isOther(page),
    )
    .sort(([a, shareOfA], [b, shareOfB]) => shareOfB - shareOfA || a - b)
    .slice(0, MAX_NAMED)
    .map(([page]) => ({ section: data.firstSection[page] as number, isPage: true, isOwn: true }));
}

function sectionsNamed(data: SearchData, term: number, { isIncluded }: NameScope): Named[] {
  const { pages, sections } = readPostings(data.packedPostings(term));
  return [
    ...withoutCommonKeyword(pages.map(({ page, fields }) => firstOf(data, page, rankOf(fields)))),
    ...sections.map(
      ({ section }): Named => ({
        section,
        page: data.pageOfSection[section] as number,
        rank: Rank.heading,
      }),
    ),
  ].filter(({ page }) => isIncluded(page));
}

function firstOf(data: SearchData, page: number, rank: Rank): Named {
  return { section: data.firstSection[page] as number, page, rank };
}

const MAX_BY_KEYWORD = 3;
/** A keyword that many pages have is a subject and not a name. */
const MAX_WITH_KEYWORD = 12;

function withoutCommonKeyword(named: Named[]): Named[] {
  const isKeyword = ({ rank }: Named) => rank === Rank.keyword;
  return named.filter(isKeyword).length > MAX_WITH_KEYWORD
    ? named.filter((namedSection) => !isKeyword(namedSection))
    : named;
}

function inOrder(
  { pages }: SearchData,
  named: readonly Named[],
  { isOther, isNear, score }: NameScope,
): FoundByName[] {
  const hasPage = named.some(({ page, rank }) => rank < Rank.keyword && !isOther(page));
  const hasKeyword = named.some(({ page, rank }) => rank === Rank.keyword && !isOther(page));
  const matches = named.filter(
    ({ rank }) => rank < (hasPage ? Rank.keyword : hasKeyword ? Rank.heading : Rank.heading + 1),
  );
  const scoreOf = (match: Named) => score(match, match.rank === Rank.heading);
  matches.sort(
    (a, b) =>
      Number(isOther(a.page)) - Number(isOther(b.page)) ||
      a.rank - b.rank ||
      Number(isNear(b.page)) - Number(isNear(a.page)) ||
      Number(pages[a.page]?.isOperation ?? false) - Number(pages[b.page]?.isOperation ?? false) ||
      (a.rank >= Rank.keyword ? scoreOf(b) - scoreOf(a) : 0) ||
      a.section - b.section,
  );
  const bySection = new Map<number, FoundByName>();
  for (const { section, rank } of matches) {
    if (bySection.has(section)) continue;
    bySection.set(section, {
      section,
      isPage: rank < Rank.heading,
      isOwn: rank < Rank.group || rank === Rank.heading,
    });
  }
  return [...bySection.values()];
}

function rankOf(fields: number): Rank {
  if (fields & PageField.title) return Rank.title;
  if (fields & PageField.description) return Rank.label;
  if (fields === NameField.group) return Rank.group;
  return fields & (PageField.path | PageField.operation) ? Rank.path : Rank.keyword;
}
