import { copyOf } from '@docent/search/index/stored-document.ts';
import {
  groupByPage,
  type PageHit,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
} from '@docent/search/search-index.ts';
import { type SearchRules, type Synonyms, siteSynonyms } from '@docent/search/search-rules.ts';
import type { RetrievedPage } from '../chat/answer-event.ts';
import { absoluteLinks } from '../chat/answer-links.ts';
import type { AssistantQuestion, Passage, PointsAt } from '../chat/chat-request.ts';
import { cutMarkdown } from '../chat/markdown-blocks.ts';
import { contentWords, earlierQuestions, isFollowUp, MAX_EARLIER } from './follow-up.ts';
import { inEnglish } from './foreign-question.ts';
import type { ForeignWords } from './foreign-words.ts';
import { needsNeighbors } from './join-passages.ts';
import { pointsAt, readerSections } from './page-question.ts';
import { QuestionWords } from './question-words.ts';

/** The search results for a question. */
export interface Retrieval {
  query: string;
  /** Best first, at most `pageSize`. */
  pages: RetrievedPage[];
  /** The matching sections of those pages, best first. */
  passages: Passage[];
  /** Passages of the reader's current page come first, because the question refers to it. */
  pointsAt?: PointsAt;
  /** The words that were searched for a question in another language than the documentation. */
  english?: string;
  /** What means the same on this site. */
  synonyms?: Synonyms | undefined;
  /** A notice for the answer, for example that a version is unknown. */
  note?: string;
}

export interface RetrieveOptions {
  /** Absolute address of the site without a trailing slash. */
  publicUrl: string;
  /** The site's default version and language, used if the reader chose none. */
  defaults?: { version?: string; language?: string };
  /** How the owners of the site steer its search. */
  rules?: SearchRules | undefined;
  /** What a question in another language than the documentation is translated by. */
  foreignWords: ForeignWords;
  /** Replaces the index search of sections, if semantic search is enabled. */
  search?: (query: string, options: SearchOptions) => Promise<SearchHit[]>;
}

const MAX_PAGE_CONTENT_LENGTH = 6000;
/**
 * A quote may come from anywhere in a section; only of an extremely long one the end is not read.
 */
const MAX_PASSAGE_LENGTH = 16_000;
const MAX_SECTIONS_PER_PAGE = 6;
const MAX_PASSAGES_PER_PAGE = 12;
/** Answers are hardly ever ranked lower. */
const MAX_PASSAGES = 36;
const SECTIONS_SEARCHED_PER_PAGE = 12;

/** A page that the question names is one passage if it is at most this long. */
const MAX_WHOLE_PAGE_LENGTH = 1400;

/** Searches the documentation for a question. */
export async function retrieve(
  index: SearchIndex,
  question: AssistantQuestion,
  options: RetrieveOptions,
): Promise<Retrieval> {
  const query = searchQuery(question);
  const note = unknownLabelNote(index, question.filter);
  if (note !== undefined) return { query, pages: [], passages: [], note };
  const searchOptions: SearchOptions = {
    limit: Math.max(60, question.pageSize * SECTIONS_SEARCHED_PER_PAGE),
    completeLastWord: false,
    filter: question.filter,
    // The selection is on the page that the question is about.
    currentPath:
      question.context.find(({ path }) => path !== undefined)?.path ?? question.currentPath,
    defaults: options.defaults,
    rules: options.rules,
  };
  const search = async (text: string) =>
    options.search?.(text, searchOptions) ?? index.search(text, searchOptions);
  const nearQuery = searchQuery(
    question,
    1 + earlierQuestions(question).findIndex((text) => contentWords(text) > 0),
  );
  const byAll = await search(query);
  const language = question.filter?.language ?? options.defaults?.language;
  const english = inEnglish(question.question, byAll, language, options.foreignWords);
  const byWords = nearQuery === query ? byAll : mixed(await search(nearQuery), byAll);
  const searchHits = english === undefined ? byWords : await search(english);
  // A message that asks nothing (“hi”) has no results, unless it is the name of a page.
  const asking =
    english === undefined && new QuestionWords(query).isEmpty
      ? searchHits.filter(({ isNamed }) => isNamed)
      : searchHits;
  const hits = withQuotedBefore(asking, question, options.publicUrl);
  const target = pointsAt(question);
  const here = target === undefined ? [] : readerSections(index, question, target);
  const pages = withFirst(here, withoutTranslations(groupByPage(hits))).slice(0, question.pageSize);
  const passages = pages
    .flatMap((page) => (page.sections === here ? here : sectionsFor(page, index)))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PASSAGES)
    .map((hit) => passageOf(hit, options.publicUrl));
  return {
    query,
    pages: pages.map((page) => retrievedPage(page, options.publicUrl)),
    passages,
    pointsAt: here.length > 0 ? target : undefined,
    synonyms: siteSynonyms(options.rules),
    ...(english !== undefined && { english }),
  };
}

/** Of the same page in several languages, only the first: the others say the same. */
function withoutTranslations(pages: readonly PageHit[]): PageHit[] {
  const paths = new Set<string>();
  return pages.filter(({ path, sections: [first] }) => {
    const language = first?.document.language;
    const untranslatedPath = path
      .split('/')
      .filter((segment) => segment !== language)
      .join('/');
    return paths.size !== paths.add(untranslatedPath).size;
  });
}

function sectionsFor({ sections }: PageHit, index: SearchIndex): SearchHit[] {
  const named = sections.find(({ isNamed, document }) => isNamed && document.headings.length === 0);
  const whole = named && wholePage(named, index);
  return whole ? [whole] : withNeighbors(sections.slice(0, MAX_PASSAGES_PER_PAGE), index);
}

/**
 * Returns a short page as one section, so that it is quoted whole; nothing if it is long, or one
 * section anyway.
 */
function wholePage(named: SearchHit, index: SearchIndex): SearchHit | undefined {
  const sections = index.sectionsOf(named.document.path);
  const texts = sections.map(({ headings, markdown }, at) =>
    at === 0 ? markdown : `#### ${headings.at(-1)}\n\n${markdown}`,
  );
  const markdown = texts.join('\n\n');
  if (sections.length < 2 || markdown.length > MAX_WHOLE_PAGE_LENGTH) return undefined;
  return { ...named, document: { ...copyOf(named.document), markdown } };
}

/**
 * Steps and problems match by their words, but need their context: the other sections are added at
 * the end.
 */
function withNeighbors(sections: SearchHit[], index: SearchIndex): SearchHit[] {
  const parentOf = ({ headings }: SearchDocument) => JSON.stringify(headings.slice(0, -1));
  const parents = new Set(
    sections
      .filter(({ document }) => needsNeighbors(document.headings))
      .map((hit) => parentOf(hit.document)),
  );
  if (parents.size === 0) return sections;
  const last = sections.at(-1) as SearchHit;
  const anchors = new Set(sections.map(({ document }) => document.anchor));
  const missing = index
    .sectionsOf(last.document.path)
    .filter(
      (section) =>
        !anchors.has(section.anchor) &&
        needsNeighbors(section.headings) &&
        parents.has(parentOf(section)),
    );
  return [...sections, ...missing.map((document) => ({ ...last, document }))];
}

/** The reader's current page, then the others. */
function withFirst(here: SearchHit[], pages: readonly PageHit[]): PageHit[] {
  const [first] = here;
  if (first === undefined) return [...pages];
  const { path } = first.document;
  return [
    { path, score: first.score, sections: here },
    ...pages.filter((page) => page.path !== path),
  ];
}

function unknownLabelNote(
  index: SearchIndex,
  filter: AssistantQuestion['filter'],
): string | undefined {
  if (filter?.version !== undefined && !index.versions.includes(filter.version)) {
    return `This documentation has no version “${filter.version.slice(0, 60)}”${knownLabels(index.versions)}, so nothing was searched.`;
  }
  if (filter?.language !== undefined && !index.languages.includes(filter.language)) {
    return `This documentation has no language “${filter.language.slice(0, 60)}”${knownLabels(index.languages)}, so nothing was searched.`;
  }
  return undefined;
}

function knownLabels(labels: readonly string[]): string {
  return labels.length === 0 ? '' : ` (it has ${labels.slice(0, 10).join(', ')})`;
}

/** A page with its matching sections, as clients see it. */
export function retrievedPage(page: PageHit, publicUrl: string): RetrievedPage {
  const [best] = page.sections as [SearchHit, ...SearchHit[]];
  const pieces: string[] = [];
  let left = MAX_PAGE_CONTENT_LENGTH;
  for (const { document } of page.sections.slice(0, MAX_SECTIONS_PER_PAGE)) {
    const heading = document.headings.at(-1);
    const text = absoluteLinks(document.markdown, publicUrl, document.href);
    const piece = heading === undefined ? text : `## ${heading}\n\n${text}`;
    if (piece.trim() === '') continue;
    pieces.push(cutMarkdown(piece, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return { content: pieces.join('\n\n'), ...identity(best.document, page.score, publicUrl) };
}

function passageOf(
  { document, score, share, isNamed, isPinned }: SearchHit,
  publicUrl: string,
): Passage {
  return {
    content: cutMarkdown(
      absoluteLinks(document.markdown, publicUrl, document.href),
      MAX_PASSAGE_LENGTH,
    ),
    headings: document.headings,
    ...identity(document, score, publicUrl),
    // A page that is named in the question is the right one.
    share: isNamed ? 1 : share,
    ...(isPinned && { isPinned }),
    trail: document.trail,
    description: document.description,
  };
}

function identity(
  document: SearchDocument,
  score: number,
  publicUrl: string,
): Omit<RetrievedPage, 'content'> {
  const { pageTitle: title, version, language, path, href, anchor } = document;
  const metadata = { title, score: Math.round(score * 1000) / 1000, version, language };
  return { path, url: urlOf(href, anchor, publicUrl), metadata };
}

function urlOf(href: string, anchor: string, publicUrl: string): string {
  return `${publicUrl}${href}${anchor === '' ? '' : `#${anchor}`}`;
}

const MAX_QUERY_LENGTH = 600;
const MAX_CONTEXT_LENGTH = 160;
/** Share of the newest questions in the hits of a conversation. */
const NEAR_WEIGHT = 0.5;
/** How much more a page counts that the previous answer quotes. */
const QUOTED_BEFORE = 1.25;

/**
 * Returns the search query: the question; if it cannot stand alone (“and then?”), the questions
 * before it, back to the one that names the subject; and the beginning of the reader's selection.
 */
function searchQuery(question: AssistantQuestion, maxEarlier = MAX_EARLIER): string {
  const pieces = [question.question, ...earlierQuestions(question).slice(0, maxEarlier)];
  for (const { value } of question.context.slice(0, 2))
    pieces.push(value.slice(0, MAX_CONTEXT_LENGTH));
  return pieces.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH);
}

/**
 * Joins the hits of the newest questions with those of the whole conversation, which counts less:
 * its subject may have changed.
 */
function mixed(near: readonly SearchHit[], byAll: readonly SearchHit[]): SearchHit[] {
  const placeOf = ({ document }: SearchHit) => `${document.path}\n${document.anchor}`;
  const others = new Map(byAll.map((hit) => [placeOf(hit), hit]));
  const weigh = (hit: SearchHit, other: SearchHit | undefined, weight: number): SearchHit => ({
    ...hit,
    score: weight * hit.score + (1 - weight) * (other?.score ?? 0),
    share: weight * (hit.share ?? 0) + (1 - weight) * (other?.share ?? 0),
  });
  const joined = near.map((hit) => weigh(hit, others.get(placeOf(hit)), NEAR_WEIGHT));
  const places = new Set(near.map(placeOf));
  const added = byAll
    .filter((hit) => !places.has(placeOf(hit)))
    .map((hit) => weigh(hit, undefined, 1 - NEAR_WEIGHT));
  return [...joined, ...added].sort((a, b) => b.score - a.score);
}

/**
 * A follow-up is most likely about the pages that the answers before it quote. Other questions have
 * their own pages.
 */
function withQuotedBefore(
  hits: SearchHit[],
  { question, turns }: AssistantQuestion,
  publicUrl: string,
): SearchHit[] {
  const answers = turns.filter(({ role }) => role === 'assistant').map(({ text }) => text);
  if (answers.length === 0 || !isFollowUp(question)) return hits;
  const isQuoted = ({ href }: SearchDocument) =>
    [`](${publicUrl}${href})`, `](${publicUrl}${href}#`].some((link) =>
      answers.some((answer) => answer.includes(link)),
    );
  const weighed = hits.map((hit) => {
    if (!isQuoted(hit.document)) return hit;
    const share = hit.share === undefined ? {} : { share: Math.min(1, hit.share * QUOTED_BEFORE) };
    return { ...hit, score: Math.min(1, hit.score * QUOTED_BEFORE), ...share };
  });
  return weighed.sort((a, b) => b.score - a.score);
}
