import type { Passage } from '../chat/chat-request.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { type Tier, tierOf } from './confidence.ts';
import { readCandidates } from './passage-candidates.ts';
import { questionTraits } from './question-kind.ts';
import {
  keyExample,
  keyPart,
  keySentence,
  quoteCandidate,
  quoteOperation,
} from './quote-candidate.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';

/** A part of a passage, ready to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
  /** The sentence in it that answers; empty if it has none. */
  highlight: string;
}

export interface ChosenQuotes {
  tier: Exclude<Tier, 'likely'>;
  /** Best first; none if nothing answers the question. */
  quotes: Quote[];
}

/** A quote that answers, or may well answer, in characters; only code and steps may be longer. */
const MAX_QUOTE = 900;
/** The same where the documentation may not cover the question. */
const MAX_UNLIKELY = 450;
/** The key sentences of the best candidate where the part that answers is longer than that. */
const MAX_KEY = 300;
/** A further quote gets what the others leave of this; it is left out if that is too little. */
const MAX_TOGETHER = 600;
const MIN_FURTHER = 180;
const MAX_FURTHER = 450;
/** The words around a further quote. */
const FRAME = 100;
/**
 * Probability of another page, relative to the first, from which it comes before another section of
 * the first and gets some room in any case, and from which it gets more.
 */
const OTHER_FROM = 0.15;
const LIKELY_OTHER_FROM = 0.35;
/** The same of another section of the first page, from which it is quoted. */
const SAME_FROM = 0.15;
/** A quote that is longer than its limit times this, by its code, is left to the page. */
const MAX_OVER = 1.2;
const MAX_STEPS = 1200;
const CUT_CODE = /\n…\n[ \t]*(?:`{3}|~{3})/;
const STEPS = /^\d{1,9}[.)][ \t]/m;
/** A shorter section rarely answers without those around it, unless its heading is the question. */
const MIN_COMPLETE = 550;
const QUESTION = /[?？]\s*$/;
/** A name that only programs use: of a setting, an option, a value. */
const IDENTIFIER = /^--[a-z]|\w_\w/;
const JOINT =
  /(?:[?？]\s*(?:and\s+)?|(?:[,;]|(?<!\s))\s+(?:and|und|et|y|e)\s+(?=(?:how|what|which|when|where|who|why|can|could|is|are|does|do|will|should|wie|was|welche|wann|wo|kann|comment|quel|où|cómo|qué|cuál|dónde)\b))/iu;
/** Minimum share of the question in a heading that names it. */
const NAMED_FROM = 0.9;
/**
 * Minimum probability, relative to the first, of another section of the same page to be quoted too.
 */
const FURTHER_FROM = 0.35;
/** Texts with the same beginning are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;
/** A part of a question gets its own quote if a candidate covers this share of it. */
const PART_SHARE_FROM = 0.6;
const MIN_WORDS_OF_PART = 2;
const MAX_PASSAGES_OF_PART = 20;

/**
 * Chooses the quotes for a question: the part of the section that answers, plus a second one if the
 * question has two parts, or if another section of the page fits and there is room. If the first
 * one may not answer, the best ones of its page and of another one too.
 * @param doubt why nothing is said with certainty: only the known words of a question in another
 *   language than the documentation are here, or the words are those of earlier questions too
 */
export function chooseQuotes(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
  frames: AnswerFrames,
  doubt?: 'translated' | 'followUp',
): ChosenQuotes {
  const ranked = rankPassages(question, words, passages);
  const [first] = ranked;
  const tier =
    doubt === 'translated' ? tierOfTranslation(words, first) : tierOf(words, ranked, passages);
  if (first === undefined || tier === 'none') return { tier: 'none', quotes: [] };
  if (tier === 'answer' && doubt === undefined)
    return { tier, quotes: answerQuotes(question, words, ranked, passages, frames) };
  const longest = tier === 'nearest' ? MAX_UNLIKELY : MAX_QUOTE;
  const request = { question, words, ranked, frames, hasUnknownWords: doubt === 'translated' };
  return { tier: 'nearest', quotes: nearestQuotes(request, first, longest) };
}

/**
 * The words of a translated question are its names and what the dictionary has; the others are
 * unknown, and may be what it asks. So where a word stands, the documentation has something near,
 * and never surely the answer.
 */
function tierOfTranslation(
  words: QuestionWords,
  first: RankedCandidate | undefined,
): 'nearest' | 'none' {
  return first !== undefined && words.countOf(first.matched) > 0 ? 'nearest' : 'none';
}

/**
 * Quotes the best candidate as the answer.
 * @param ranked best first; at least one
 */
export function answerQuotes(
  question: string,
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  passages: readonly Passage[],
  frames: AnswerFrames,
): Quote[] {
  const [first, ...others] = ranked as readonly [RankedCandidate, ...RankedCandidate[]];
  const quotes = [
    quoteOf(withPart(question, words, ranked, first, MAX_QUOTE), words, frames, MAX_QUOTE),
  ];
  const parts = bestOfParts(question, words, passages).filter(
    ({ candidate }) => placeOf(candidate) !== placeOf(first),
  );
  const ofPage = others.filter(
    ({ passage }) => !first.isEntry && passage.path === first.passage.path,
  );
  const fits = ofPage.filter(({ probability }) => probability >= first.probability * FURTHER_FROM);
  const room = MAX_QUOTE - (quotes[0] as Quote).markdown.length;
  for (const { candidate, of } of [
    ...parts,
    ...fits.map((fit) => ({ candidate: fit, of: words })),
  ]) {
    const longest = parts.length > 0 ? Math.max(room, MAX_KEY) : room;
    if (longest < MIN_FURTHER) break;
    const quote = quoteOf(
      withPart(question, words, ranked, candidate, longest),
      of,
      frames,
      longest,
    );
    if (
      quote.markdown.length > longest ||
      quotes.some(({ markdown }) => repeats(markdown, quote.markdown))
    )
      continue;
    quotes.push(quote);
    break;
  }
  return quotes;
}

/** A question and its candidates, best first. */
interface QuoteRequest {
  question: string;
  words: QuestionWords;
  ranked: readonly RankedCandidate[];
  frames: AnswerFrames;
  /** Then the best page is less likely the right one. */
  hasUnknownWords: boolean;
}

/**
 * The part of the best candidate that answers, or its key sentences; then, as far as there is room,
 * those of another page and of another section of the same page, the more likely one first.
 */
function nearestQuotes(request: QuoteRequest, first: RankedCandidate, longest: number): Quote[] {
  const quotes = [
    partQuote(request, first, longest) ?? keyQuote(request, first, MAX_KEY, keyExample),
  ].filter(({ markdown }) => markdown !== '');
  let room = MAX_TOGETHER - (quotes[0]?.markdown.length ?? 0);
  for (const { candidate, shortest } of furtherCandidates(request, first)) {
    const limit = Math.min(Math.max(room, shortest), MAX_FURTHER);
    if (limit < MIN_FURTHER) continue;
    const quote =
      (limit < MAX_KEY ? undefined : partQuote(request, candidate, limit)) ??
      keyQuote(request, candidate, Math.min(limit, MAX_KEY));
    if (quote.markdown === '' || quotes.some(({ markdown }) => repeats(markdown, quote.markdown)))
      continue;
    quotes.push(quote);
    room -= quote.markdown.length + FRAME;
  }
  return quotes;
}

/** What may be quoted beside the best candidate, with the room that it gets in any case. */
function furtherCandidates(
  { ranked, hasUnknownWords }: QuoteRequest,
  first: RankedCandidate,
): { candidate: RankedCandidate; shortest: number }[] {
  const { path } = first.passage;
  const same = ranked.find(
    (candidate) => candidate.passage.path === path && placeOf(candidate) !== placeOf(first),
  );
  const other = ranked.find(({ passage }) => passage.path !== path);
  const chanceOf = (page: string | undefined) =>
    ranked.reduce(
      (sum, { passage, probability }) => sum + (passage.path === page ? probability : 0),
      0,
    );
  const likelihood = chanceOf(other?.passage.path) / chanceOf(path);
  const further = [];
  if (same !== undefined && same.probability >= first.probability * SAME_FROM)
    further.push({ candidate: same, shortest: 0 });
  if (other === undefined) return further;
  if (likelihood < OTHER_FROM && !hasUnknownWords)
    return [...further, { candidate: other, shortest: 0 }];
  const shortest = likelihood < LIKELY_OTHER_FROM ? MAX_KEY : MAX_FURTHER;
  return [{ candidate: other, shortest }, ...further];
}

/**
 * Returns the part of a candidate that answers, if that is short and has the code that was asked
 * for. Steps may be longer.
 */
function partQuote(
  { question, words, ranked, frames }: QuoteRequest,
  candidate: RankedCandidate,
  longest: number,
): Quote | undefined {
  if (candidate.isOperation) return undefined;
  const part = withPart(question, words, ranked, candidate, longest);
  const quote = quoteOf(part, words, frames, longest);
  const { markdown } = quote;
  const room = STEPS.test(markdown) ? Math.max(longest, MAX_STEPS) : longest;
  const lacksCode = part.evidence.codeForHowTo === 1 && !markdown.includes('```');
  const isTooLong = markdown.length > room * MAX_OVER || CUT_CODE.test(markdown);
  return isTooLong || lacksCode ? undefined : quote;
}

/** Returns the key sentences of a candidate. */
function keyQuote(
  { words, frames }: QuoteRequest,
  candidate: RankedCandidate,
  longest: number,
  keyOf = keyPart,
): Quote {
  const markdown = keyOf(words, candidate, longest, frames);
  return { passage: candidate.passage, markdown, highlight: keySentence(words, markdown) };
}

/** Returns the quote from the section of the reader's selection. */
export function quoteSelected(question: string, section: Passage, frames: AnswerFrames): Quote[] {
  const words = new QuestionWords(question);
  const [best] = rankPassages(question, words, [section]);
  return best === undefined ? [] : [quoteOf(best, words, frames, MAX_QUOTE)];
}

/**
 * Returns the possible quotes for a question, best first. Those that contain the identifiers of the
 * question come before others.
 */
export function rankPassages(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
): RankedCandidate[] {
  const traits = questionTraits(question);
  const ranked = rankCandidates(words, readCandidates(words, passages, traits), traits);
  const identifiers = question.split(/[^\w-]+/).filter((word) => IDENTIFIER.test(word));
  if (identifiers.length === 0) return ranked;
  const containedIn = ({ blocks, passage: { path, headings, metadata } }: RankedCandidate) => {
    const texts = [path, metadata.title, ...headings, ...blocks.map(({ markdown }) => markdown)];
    return identifiers.filter((identifier) => texts.some((text) => text.includes(identifier)))
      .length;
  };
  const counts = new Map(ranked.map((candidate) => [candidate, containedIn(candidate)]));
  return ranked.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
}

/**
 * One of the candidates, or the part of its page around it if that ranks higher or the section is
 * too short to be complete. A section whose heading is the question needs nothing of what is beside
 * it.
 */
function withPart(
  question: string,
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  candidate: RankedCandidate,
  longest: number,
): RankedCandidate {
  const { passage, place } = candidate;
  const { part } = passage;
  if (
    part === undefined ||
    part.content.length > longest ||
    candidate.isOperation ||
    candidate.isEntry
  )
    return candidate;
  const heading = passage.headings.at(-1) ?? '';
  const isNamed = QUESTION.test(heading) || words.share(words.found(heading)) >= NAMED_FROM;
  if (isNamed && part.headings.length < passage.headings.length) return candidate;
  const traits = questionTraits(question);
  const [whole, ...others] = readCandidates(words, [{ ...passage, ...part }], traits);
  if (whole === undefined || others.length > 0) return candidate;
  const again = rankCandidates(words, [...ranked, { ...whole, place }], traits);
  const isComplete = passage.content.length >= MIN_COMPLETE;
  return (
    again.find(
      ({ blocks }) => blocks === whole.blocks || (isComplete && blocks === candidate.blocks),
    ) ?? candidate
  );
}

function quoteOf(
  candidate: RankedCandidate,
  of: QuestionWords,
  frames: AnswerFrames,
  longest: number,
): Quote {
  const markdown = candidate.isOperation
    ? quoteOperation(of, candidate)
    : quoteCandidate(of, candidate, longest, frames);
  return {
    passage: candidate.passage,
    markdown,
    highlight: candidate.isOperation ? '' : keySentence(of, markdown),
  };
}

/** A candidate to be quoted for a question, or for a part of it. */
interface Further {
  candidate: RankedCandidate;
  of: QuestionWords;
}

/** Returns the candidates that answer each part of a question with several parts. */
function bestOfParts(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
): Further[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  const nearest = passages.slice(0, MAX_PASSAGES_OF_PART);
  return parts.flatMap((part) => {
    const of = words.of(part);
    if (of.count < MIN_WORDS_OF_PART) return [];
    const [candidate] = rankPassages(part, of, nearest);
    return candidate !== undefined && of.share(candidate.matched) >= PART_SHARE_FROM
      ? [{ candidate, of }]
      : [];
  });
}

function placeOf({ passage, blocks }: RankedCandidate): string {
  return `${passage.url}\n${blocks[0]?.markdown}`;
}

/** The same text often appears on several pages with another name in it. */
function repeats(markdown: string, other: string): boolean {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [a, b] = [wordsOf(markdown), wordsOf(other)];
  if (a.slice(0, SAME_BEGINNING).join(' ') === b.slice(0, SAME_BEGINNING).join(' ')) return true;
  const [small, large] = a.length < b.length ? [new Set(a), new Set(b)] : [new Set(b), new Set(a)];
  // No `Set.prototype.intersection`: this runs in browsers too, and Firefox has it from 127 on.
  return [...small].filter((word) => large.has(word)).length >= small.size * SAME_WORDS;
}

/**
 * Returns the questions within a question: “How do I import it, and how big may it be?” contains
 * two.
 */
function questionParts(question: string): string[] {
  return question
    .split(JOINT)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
