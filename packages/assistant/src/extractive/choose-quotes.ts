import type { Passage } from '../chat/chat-request.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { chooseUnits } from './choose-units.ts';
import { type Tier, tierOf } from './confidence.ts';
import { readCandidates } from './passage-candidates.ts';
import { questionTraits } from './question-kind.ts';
import { keySentence } from './quote-candidate.ts';
import { type RankedCandidate, rankCandidates } from './rank-candidates.ts';

/** A part of a passage, ready to be shown. */
export interface Quote {
  passage: Passage;
  markdown: string;
  /** The sentence in it that answers; empty if it has none. */
  highlight: string;
}

export interface ChosenQuotes {
  tier: Tier;
  /** Best first; none if nothing answers the question. */
  quotes: Quote[];
}

const JOINT =
  /(?:[?？]\s*(?:and\s+)?|(?:[,;]|(?<!\s))\s+(?:and|und|et|y|e)\s+(?=(?:how|what|which|when|where|who|why|can|could|is|are|does|do|will|should|wie|was|welche|wann|wo|kann|comment|quel|où|cómo|qué|cuál|dónde)\b))/iu;
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
  const isNamed = identifiersIn(first, questionTraits(question).identifiers) > 0;
  const tier = likelyTier === 'none' && isNamed ? 'nearest' : likelyTier;
  if (tier === 'none') return { tier, quotes: [] };
  if (tier === 'answer' && doubt === undefined)
    return { tier, quotes: answerQuotes(question, words, ranked, passages, frames) };
  const candidates = doubt === 'translated' ? bestOfPages(ranked) : ranked;
  return { tier: 'nearest', quotes: quotesOf(question, words, candidates, frames) };
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
 * Quotes what answers, and for a question of several parts what answers each.
 * @param ranked best first; at least one
 */
export function answerQuotes(
  question: string,
  words: QuestionWords,
  ranked: readonly RankedCandidate[],
  passages: readonly Passage[],
  frames: AnswerFrames,
): Quote[] {
  const quotes = quotesOf(question, words, ranked, frames);
  const isQuoted = ({ passage }: RankedCandidate) =>
    quotes.some((quote) => quote.passage.url === passage.url);
  const others = bestOfParts(question, words, passages).filter(
    ({ candidate }) => !isQuoted(candidate),
  );
  return [
    ...quotes,
    ...others.flatMap(({ part, candidate }) => quotesOf(part, words.of(part), [candidate], frames)),
  ];
}

/** Quotes what answers best of some candidates. */
function quotesOf(
  question: string,
  words: QuestionWords,
  candidates: readonly RankedCandidate[],
  frames: AnswerFrames,
): Quote[] {
  const chosen = chooseUnits(words, questionTraits(question), candidates, frames);
  return chosen.map(({ candidate, markdown }) => ({
    passage: candidate.passage,
    markdown,
    highlight: candidate.isOperation ? '' : keySentence(words, markdown),
  }));
}

/** The best candidate of each page. */
function bestOfPages(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  return [...Map.groupBy(ranked, ({ passage }) => passage.path).values()].flatMap(([best]) =>
    best === undefined ? [] : [best],
  );
}

/** Returns the quote from the section of the reader's selection. */
export function quoteSelected(question: string, section: Passage, frames: AnswerFrames): Quote[] {
  const words = new QuestionWords(question);
  const [best] = rankPassages(question, words, [section]);
  return best === undefined ? [] : quotesOf(question, words, [best], frames);
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
  const { identifiers } = traits;
  if (identifiers.length === 0) return ranked;
  const counts = new Map(
    ranked.map((candidate) => [candidate, identifiersIn(candidate, identifiers)]),
  );
  return ranked.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
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

/** Returns the candidates that answer each part of a question with several parts. */
function bestOfParts(
  question: string,
  words: QuestionWords,
  passages: readonly Passage[],
): { part: string; candidate: RankedCandidate }[] {
  const parts = questionParts(question);
  if (parts.length < 2) return [];
  const nearest = passages.slice(0, MAX_PASSAGES_OF_PART);
  return parts.flatMap((part) => {
    const of = words.of(part);
    if (of.count < MIN_WORDS_OF_PART) return [];
    const [candidate] = rankPassages(part, of, nearest);
    return candidate !== undefined && of.share(candidate.matched) >= PART_SHARE_FROM
      ? [{ part, candidate }]
      : [];
  });
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
