import type { SearchDocument, SearchHit, SearchIndex } from '@docent/search/search-index.ts';
import { scanWords, stopWords } from '@docent/search/words/tokenize.ts';
import type { AssistantQuestion, PointsAt } from '../chat/chat-request.ts';
import { QuestionWords } from './question-words.ts';

/** Words that ask for an explanation and say nothing about the subject. */
const ASKS =
  /^(?:summar\w*|sum|explain\w*|descri\w*|tl|dr|tldr|overview|outlines?|gist|means?|meaning|say|says|do|does|about|key|main|points?|takeaways?|tell|give|briefly|brief|short|shortly|simply|simple|simpler|terms?|words?|zusammen\w*|fass\w*|erklär\w*|bedeute\w*|macht|tut|geht|worum|résum\w*|expliqu\w*|décri\w*|signifie|fait|resum\w*|explic\w*|significa|hace|trata|faz|riassum\w*|spieg\w*|fa|parla)$/iu;
const POINTS =
  /^(?:this|that|these|those|here|it|above|below|selected|selection|highlighted|dies\w*|hier|ce|cet|cette|ceci|ça|est[aeo]|es[st][aeo]|isto|isso|quest\w*)$/iu;
const TEXTS =
  /^(?:page|article|section|chapter|guide|tutorial|text|code|snippet|example|passage|paragraph|block|line|lines|function|command|seite|abschnitt|beispiel|befehl|página|pagina|sección|secção|seção|sezione|código|codice|ejemplo|exemple|exemplo|esempio)$/iu;
const PAGE = /^(?:page|article|guide|tutorial|seite|página|pagina)$/iu;
const OTHER_GRAMMAR =
  /^(?:mir|bitte|den|das|die|der|in|um|es|me|moi|la|le|les|el|lo|un|une|una|de|do|da|del|della|o|a|il|que|qué|was|qu|est|si|is|what|please|for|to|can|could|you|i|on|of|in|and)$/iu;

const UNSPACED_ASKS =
  /总结|總結|概括|摘要|解释|解釋|说明|說明|什么意思|要約|まとめ|説明|解説|요약|설명/u;
const UNSPACED_POINTS = /这|這|本页|本頁|本文|此页|この|これ|이 ?(?:페이지|문서|코드|것)|이것/u;
const UNSPACED_PAGE = /页|頁|本文|ページ|페이지|문서/u;
const MAX_UNSPACED = 24;

const IN_PAGE =
  /\b(?:on|in|from|according to) (?:this|the current) (?:page|article|guide|tutorial|section)\b|\bthis (?:page|article|guide|tutorial)\b/i;
/** A question with more content words is about those words, regardless of the selection. */
const MAX_OWN_WORDS = 2;
const MAX_READ = 300;

/**
 * Returns how a question refers to the page or the selection that came with it; undefined if it
 * does not.
 */
export function pointsAt({
  question,
  context,
  currentPath,
  turns,
}: AssistantQuestion): PointsAt | undefined {
  const hasSelection = context.length > 0;
  if (question.length > MAX_READ || (!hasSelection && currentPath === undefined)) return undefined;
  const { asks, points, isPage, ownWords } = readWords(question);
  if (hasSelection && !isPage && (points || asks) && ownWords <= MAX_OWN_WORDS) return 'selection';
  // A follow-up question refers to the previous answer, unless it names the page.
  if (ownWords === 0 && (isPage || (asks && turns.length <= 1))) return 'page';
  return IN_PAGE.test(question) ? 'inPage' : undefined;
}

/**
 * Reads the words that point at the page. @returns also `ownWords`, the number of words about the
 * subject
 */
function readWords(question: string) {
  if (question.length <= MAX_UNSPACED && UNSPACED_ASKS.test(question)) {
    return {
      asks: true,
      points: UNSPACED_POINTS.test(question),
      isPage: UNSPACED_PAGE.test(question),
      ownWords: 0,
    };
  }
  const read = { asks: false, points: false, isPage: false, ownWords: 0 };
  scanWords(question, (word) => {
    if (PAGE.test(word)) read.isPage = true;
    if (POINTS.test(word)) read.points = true;
    else if (ASKS.test(word))
      read.asks ||= word.toLowerCase() === 'about' || !stopWords.has(word.toLowerCase());
    else if (!TEXTS.test(word) && !OTHER_GRAMMAR.test(word) && !stopWords.has(word.toLowerCase()))
      read.ownWords++;
  });
  return read;
}

const MAX_SECTIONS = 24;
/** Characters of a selection that identify its section. */
const MAX_SELECTION = 2000;
const RECOGNIZED_BY = 60;

/**
 * Returns the sections of the reader's current page as hits that precede all others: in page order,
 * or with the section of the selection first. None if the site has no such page.
 */
export function readerSections(
  index: SearchIndex,
  question: AssistantQuestion,
  target: PointsAt,
): SearchHit[] {
  const { context, currentPath } = question;
  const selected = context.find(({ path }) => path !== undefined);
  const path = selected?.path ?? currentPath;
  const sections = path === undefined ? [] : index.sectionsOf(path);
  const first =
    target === 'selection' ? sectionOf(sections, context.map(({ value }) => value).join('\n')) : 0;
  const ordered = [
    ...sections.slice(first, first + 1),
    ...sections.slice(0, first),
    ...sections.slice(first + 1),
  ];
  // Scores decrease from section to section, so that the order is kept.
  return ordered
    .slice(0, MAX_SECTIONS)
    .map((document, at) => ({ document, score: 1 - at * 1e-4, share: 1 }));
}

/**
 * The section of a selection: the one that contains it verbatim, otherwise the one that shares most
 * words with it.
 */
function sectionOf(sections: readonly SearchDocument[], selection: string): number {
  const begin = plain(selection).slice(0, RECOGNIZED_BY);
  const exact =
    begin === ''
      ? -1
      : sections.findIndex((section) => plain(`${section.text} ${section.code}`).includes(begin));
  if (exact >= 0) return exact;
  const words = new QuestionWords(selection.slice(0, MAX_SELECTION));
  const shares = sections.map(({ text, code }) => words.share(words.found(`${text} ${code}`)));
  return Math.max(0, shares.indexOf(Math.max(...shares)));
}

/** Letters and digits only: a browser selection has lost its markup. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
