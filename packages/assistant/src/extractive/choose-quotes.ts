import type { Passage } from '../chat/chat-request.ts';
import { visibleLength } from '../chat/markdown-blocks.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { type Tier, tierOf } from './confidence.ts';
import { readCandidates } from './passage-candidates.ts';
import { questionTraits } from './question-kind.ts';
import { keyPart, keySentence, quoteOperation, saysSomething } from './quote-candidate.ts';
import { quoteSection } from './quote-section.ts';
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

/** The quote of a section that the reader selected, in characters; only code and steps are longer. */
const MAX_SELECTED = 900;
/**
 * The quotes of an answer, best first, in characters that a reader sees. Of 328 questions, the
 * section that answers comes first in 172, second or third in 64.
 */
const MAX_QUOTES = [650, 300, 200];
/** The same where the first is said with certainty: what is around its best part is part of it. */
const MAX_SURE = [700, 300, 200];
/** The same where the documentation may not cover the question. */
const MAX_UNLIKELY = [450, 200];
/** Sections are quoted until one of them surely answers, or likely and there is not much room. */
const SURELY = 0.95;
const LIKELY = 0.67;
const MUCH = 700;
/** The words around a quote. */
const FRAME = 100;
/** Where the quotes of an answer are shorter together, more of their sections is quoted. */
const ROOM = 900;
/** Less is not worth a longer quote. */
const MIN_ROOM = 60;
/** If a quote cannot be longer by all that is left, it may by this share of it. */
const SHARE_OF_ROOM = 0.6;
/** Probability of another page, relative to the first, from which it comes second. */
const OTHER_FROM = 0.15;
/** A further quote that is longer than its limit times this, by its code, gives way to a sentence. */
const MAX_OVER = 1.3;
/** A shorter section rarely answers without those around it, unless its heading is the question. */
const MIN_COMPLETE = 550;
const QUESTION = /[?？]\s*$/;
/** A name that only programs use: of a setting, an option, a function, an error. */
const IDENTIFIER = /^--[a-z]|\w_\w|^[a-z]+[A-Z]\w{4}|^[A-Z]{1,6}-?\d{3}/;
const JOINT =
  /(?:[?？]\s*(?:and\s+)?|(?:[,;]|(?<!\s))\s+(?:and|und|et|y|e)\s+(?=(?:how|what|which|when|where|who|why|can|could|is|are|does|do|will|should|wie|was|welche|wann|wo|kann|comment|quel|où|cómo|qué|cuál|dónde)\b))/iu;
/** Minimum share of the question in a heading that names it. */
const NAMED_FROM = 0.9;
/** Texts with the same beginning are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;
/** A part of a question gets its own quote if a candidate covers this share of it. */
const PART_SHARE_FROM = 0.6;
const MIN_WORDS_OF_PART = 2;
const MAX_PASSAGES_OF_PART = 20;

/**
 * Chooses the quotes for a question: the part of the section that answers, or of the few sections
 * one of which does.
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
  if (first === undefined) return { tier: 'none', quotes: [] };
  const likelyTier =
    doubt === 'translated' ? tierOfTranslation(words, first) : tierOf(words, ranked, passages);
  // Whoever asks for a name that stands here has come to the right place.
  const isNamed = identifiersIn(first, identifiersOf(question)) > 0;
  const tier = likelyTier === 'none' && isNamed ? 'nearest' : likelyTier;
  if (tier === 'none') return { tier, quotes: [] };
  if (tier === 'answer' && doubt === undefined)
    return { tier, quotes: answerQuotes(question, words, ranked, passages, frames) };
  const candidates = doubt === 'translated' ? bestOfPages(ranked) : withOtherPage(ranked);
  const request = { question, words, ranked, frames };
  const limits = tier === 'nearest' ? MAX_UNLIKELY : MAX_QUOTES;
  return { tier: 'nearest', quotes: quotesOf(request, candidates, limits) };
}

/**
 * The words of a translated question are its names and what the dictionary has; the others are
 * unknown, and may be what it asks. So where a word stands, the documentation has something near,
 * and never surely the answer.
 */
function tierOfTranslation(words: QuestionWords, first: RankedCandidate): 'nearest' | 'none' {
  return words.countOf(first.matched) > 0 ? 'nearest' : 'none';
}

/**
 * Quotes the best candidate as the answer, and those that may answer too.
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
  const parts = bestOfParts(question, words, passages).filter(
    (candidate) => placeOf(candidate) !== placeOf(first),
  );
  return quotesOf({ question, words, ranked, frames }, [first, ...parts, ...others], MAX_SURE);
}

/** A question and its candidates, best first. */
interface QuoteRequest {
  question: string;
  words: QuestionWords;
  ranked: readonly RankedCandidate[];
  frames: AnswerFrames;
}

/**
 * Quotes the parts of the candidates that answer, in order, as long as another one may.
 * @param limits of the quotes, in characters
 */
function quotesOf(
  request: QuoteRequest,
  candidates: readonly RankedCandidate[],
  limits: readonly number[],
): Quote[] {
  const quotes: Quote[] = [];
  const sections: RankedCandidate[] = [];
  let [probability, length] = [0, 0];
  for (const candidate of candidates) {
    const limit = limits[quotes.length];
    if (limit === undefined || probability >= (length < MUCH ? SURELY : LIKELY)) break;
    const quote = partQuote(request, candidate, limit, quotes.length === 0);
    probability += candidate.probability;
    const isFurther = quotes.length > 0;
    if (quote.markdown === '' || (isFurther && !saysSomething(quote.markdown))) continue;
    if (quotes.some(({ markdown }) => repeats(markdown, quote.markdown))) continue;
    quotes.push(quote);
    sections.push(candidate);
    length += visibleLength(quote.markdown) + FRAME;
  }
  return withMore(request, quotes, sections, ROOM - length);
}

/**
 * The quotes with more of their sections as long as there is room, the first one first.
 * @param sections of the quotes
 */
function withMore(
  request: QuoteRequest,
  quotes: readonly Quote[],
  sections: readonly RankedCandidate[],
  room: number,
): Quote[] {
  let left = room;
  return quotes.map((quote, place) => {
    if (left < MIN_ROOM) return quote;
    const section = sections[place] as RankedCandidate;
    const others = quotes.filter((other) => other !== quote);
    const length = visibleLength(quote.markdown);
    for (const more of [left, left * SHARE_OF_ROOM]) {
      const longer = partQuote(request, section, length + more, place === 0);
      const added = visibleLength(longer.markdown) - length;
      if (added <= 0 || added > left) continue;
      if (others.some(({ markdown }) => repeats(markdown, longer.markdown))) continue;
      left -= added;
      return longer;
    }
    return quote;
  });
}

/** The candidates, best first; that of another page comes second if the page is nearly as likely. */
function withOtherPage(ranked: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const [first, ...others] = ranked;
  const other = others.find(({ passage }) => passage.path !== first?.passage.path);
  if (first === undefined || other === undefined) return ranked;
  const chanceOf = ({ passage: { path } }: RankedCandidate) =>
    ranked.reduce(
      (sum, { passage, probability }) => sum + (passage.path === path ? probability : 0),
      0,
    );
  if (chanceOf(other) < chanceOf(first) * OTHER_FROM) return ranked;
  return [first, other, ...others.filter((candidate) => candidate !== other)];
}

/** The best candidate of each page. */
function bestOfPages(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  return [...Map.groupBy(ranked, ({ passage }) => passage.path).values()].flatMap(([best]) =>
    best === undefined ? [] : [best],
  );
}

/** The part of a candidate that answers, or its key sentences if that is long code. */
function partQuote(
  request: QuoteRequest,
  candidate: RankedCandidate,
  longest: number,
  isFirst: boolean,
): Quote {
  const { question, words, ranked, frames } = request;
  const part = withPart(question, words, ranked, candidate, longest);
  const quote = quoteOf(part, words, frames, longest);
  return isFirst || visibleLength(quote.markdown) <= longest * MAX_OVER
    ? quote
    : keyQuote(request, candidate, longest);
}

/** Returns the key sentences of a candidate. */
function keyQuote(
  { words, frames }: QuoteRequest,
  candidate: RankedCandidate,
  longest: number,
): Quote {
  const markdown = keyPart(words, candidate, longest, frames);
  return { passage: candidate.passage, markdown, highlight: keySentence(words, markdown) };
}

/** Returns the quote from the section of the reader's selection. */
export function quoteSelected(question: string, section: Passage, frames: AnswerFrames): Quote[] {
  const words = new QuestionWords(question);
  const [best] = rankPassages(question, words, [section]);
  return best === undefined ? [] : [quoteOf(best, words, frames, MAX_SELECTED)];
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
  const identifiers = identifiersOf(question);
  if (identifiers.length === 0) return ranked;
  const counts = new Map(
    ranked.map((candidate) => [candidate, identifiersIn(candidate, identifiers)]),
  );
  return ranked.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
}

function identifiersOf(question: string): string[] {
  return question.split(/[^\w-]+/).filter((word) => IDENTIFIER.test(word));
}

/** The number of identifiers that a candidate contains. */
function identifiersIn(
  { blocks, passage: { path, headings, metadata } }: RankedCandidate,
  identifiers: readonly string[],
): number {
  if (identifiers.length === 0) return 0;
  const texts = [path, metadata.title, ...headings, ...blocks.map(({ markdown }) => markdown)];
  return identifiers.filter((identifier) => texts.some((text) => text.includes(identifier))).length;
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
    : quoteSection(of, candidate, longest, frames);
  return {
    passage: candidate.passage,
    markdown,
    highlight: candidate.isOperation ? '' : keySentence(of, markdown),
  };
}

/** Returns the candidates that answer each part of a question with several parts. */
function bestOfParts(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
): RankedCandidate[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  const nearest = passages.slice(0, MAX_PASSAGES_OF_PART);
  return parts.flatMap((part) => {
    const of = words.of(part);
    if (of.count < MIN_WORDS_OF_PART) return [];
    const [candidate] = rankPassages(part, of, nearest);
    return candidate !== undefined && of.share(candidate.matched) >= PART_SHARE_FROM
      ? [candidate]
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
