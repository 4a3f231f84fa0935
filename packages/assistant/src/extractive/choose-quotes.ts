import type { Passage } from '../chat-request.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { type Tier, tierOf } from './confidence.ts';
import { readCandidates } from './passage-candidates.ts';
import { questionTraits } from './question-kind.ts';
import { QuestionWords } from './question-words.ts';
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

/**
 * With the words around it, an answer is at most about 900 characters; only procedures and code may
 * be longer.
 */
const MAX_QUOTE = 560;
/** A second quote gets what the first leaves, and is left out if that is less. */
const MIN_FURTHER_QUOTE = 180;
/** What only comes closest is a title with a sentence or two. */
const MAX_NEAREST = [300, 220] as const;
/** Where the documentation is likely to have an answer, the first quote is more than that. */
const MAX_LIKELY = 480;
/** A quote that is longer than its limit times this, by its code, is left to the page. */
const MAX_OVER = 1.2;
const MAX_STEPS = 900;
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
 * one may not answer, the key sentences of it and of the best one of another page: each is more
 * likely to than two of the same page.
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
  const [first, ...others] = ranked;
  const tier =
    doubt === 'translated' ? tierOfTranslation(words, first) : tierOf(words, ranked, passages);
  if (first === undefined || tier === 'none') return { tier: 'none', quotes: [] };
  if (tier === 'answer' && doubt === undefined)
    return { tier, quotes: answerQuotes(question, words, ranked, passages, frames) };
  const quote = tier === 'nearest' ? undefined : likelyQuote(question, words, ranked, frames);
  return { tier: 'nearest', quotes: nearestQuotes(words, [first, ...others], frames, quote) };
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
    const longest = parts.length > 0 ? Math.max(room, MAX_NEAREST[0]) : room;
    if (longest < MIN_FURTHER_QUOTE) break;
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

/**
 * The part of the best candidate that answers, if that is short and has the code that was asked
 * for. Steps may be as long as in an answer.
 */
function likelyQuote(
  question: string,
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  frames: AnswerFrames,
): Quote | undefined {
  const [first] = ranked as readonly [RankedCandidate, ...RankedCandidate[]];
  if (first.isOperation) return undefined;
  const quoteWithin = (longest: number) => {
    const candidate = withPart(question, words, ranked, first, longest);
    const quote = quoteOf(candidate, words, frames, longest);
    const { markdown } = quote;
    const room = longest === MAX_QUOTE && STEPS.test(markdown) ? MAX_STEPS : MAX_LIKELY * MAX_OVER;
    const lacksCode = candidate.evidence.codeForHowTo === 1 && !markdown.includes('```');
    const isCut = CUT_CODE.test(markdown);
    return markdown.length > room || lacksCode || isCut ? undefined : quote;
  };
  const hasSteps = first.evidence.stepsForHowTo === 1;
  return (hasSteps ? quoteWithin(MAX_QUOTE) : undefined) ?? quoteWithin(MAX_LIKELY);
}

/**
 * The key sentences of the best candidate, and of the best one of another page that says something
 * else.
 * @param ranked best first
 * @param quote of the best candidate, if it is more than its key sentences
 */
function nearestQuotes(
  words: QuestionWords,
  ranked: readonly [RankedCandidate, ...RankedCandidate[]],
  frames: AnswerFrames,
  quote: Quote | undefined,
): Quote[] {
  const [first, ...others] = ranked;
  const quotes = quote === undefined ? [] : [quote];
  const ofOthers = others.filter(({ passage }) => passage.path !== first.passage.path);
  for (const candidate of quote === undefined ? [first, ...ofOthers] : ofOthers) {
    const longest = MAX_NEAREST[quotes.length];
    if (longest === undefined) break;
    const keyOf = quotes.length === 0 ? keyExample : keyPart;
    const markdown = keyOf(words, candidate, longest, frames);
    if (markdown !== '' && !quotes.some((other) => repeats(other.markdown, markdown)))
      quotes.push({
        passage: candidate.passage,
        markdown,
        highlight: keySentence(words, markdown),
      });
  }
  return quotes;
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
