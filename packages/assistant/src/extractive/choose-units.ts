import type { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { type AnswerUnit, answerUnits, isSteps } from './answer-units.ts';
import type { ReadBlock } from './passage-candidates.ts';
import type { QuestionTraits } from './question-kind.ts';
import { closed, quoteOperation } from './quote-candidate.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { shortenBlock } from './shorten-block.ts';

/** A section, and what is quoted of it. */
export interface SectionQuote {
  candidate: RankedCandidate;
  markdown: string;
}

const MAX_CANDIDATES = 8;
const MAX_SECTIONS = 4;
/** A part of a further section is quoted from this probability on. */
const MIN_OF_SECTION = 0.05;
/** The longest answer, in characters as they are sent. */
const MAX_LENGTH = 1500;
/** A unit is quoted if it answers with this probability for each character. */
const MIN_CHANCE = 3e-4;
/** The same while an answer is shorter than this. */
const SHORT = 800;
const MIN_CHANCE_IN_SHORT = 1e-4;
/** The words around the quote of a further section. */
const FRAME = 60;
/** A longer unit is shortened; steps and tables are less useful in part. */
const MAX_UNIT = 400;
/** Half a program is useless. */
const MAX_CODE = 500;
const MAX_TOGETHER = 800;
/** Less of a block says nothing. */
const MIN_PART = 100;
/** The chances of shorter units are not higher. */
const MIN_LENGTH = 80;
/** Texts with the same beginning are copies that differ in a name. */
const SAME_BEGINNING = 12;
const SAME_WORDS = 0.8;

/** A unit as it is quoted. */
interface QuotedUnit extends AnswerUnit {
  text: string;
  /** In characters as they are sent. */
  length: number;
}

/**
 * Chooses what is quoted of the best sections: the units that most likely answer for their length,
 * as many as are worth it.
 * @param ranked best first; at least one
 * @returns in the order of the sections
 */
export function chooseUnits(
  words: QuestionWords,
  traits: QuestionTraits,
  ranked: readonly RankedCandidate[],
  frames: AnswerFrames,
): SectionQuote[] {
  const chosen: QuotedUnit[] = [];
  let left = answerUnits(words, traits, ranked.slice(0, MAX_CANDIDATES)).map((unit) => {
    const text = quoted(words, unit, frames);
    return { ...unit, text, length: sentLength(text) };
  });
  let length = 0;
  while (left.length > 0) {
    const possible = left.map((unit) => ({ unit, ...worthOf(unit, chosen) }));
    const { unit, cost, chance } = possible.reduce((a, b) => (b.chance > a.chance ? b : a));
    const total = length + cost;
    const least = total <= SHORT ? MIN_CHANCE_IN_SHORT : MIN_CHANCE;
    if (chosen.length > 0 && chance < least) break;
    left = left.filter((other) => other !== unit);
    if (chosen.length > 0 && (total > MAX_LENGTH || isRepeated(unit, chosen))) continue;
    chosen.push(unit);
    length = total;
  }
  const bySection = Map.groupBy(chosen, ({ candidate }) => candidate);
  return [...bySection]
    .toSorted(([a], [b]) => ranked.indexOf(a) - ranked.indexOf(b))
    .map(([candidate, units]) => ({ candidate, markdown: joined(candidate, units) }));
}

/** What a unit adds to those chosen, and the probability that it answers for each character. */
function worthOf(
  { candidate, probability, length }: QuotedUnit,
  chosen: readonly QuotedUnit[],
): { cost: number; chance: number } {
  const sections = new Set(chosen.map((unit) => unit.candidate));
  const isFurther = sections.size > 0 && !sections.has(candidate);
  if (isFurther && (sections.size >= MAX_SECTIONS || probability < MIN_OF_SECTION))
    return { cost: 0, chance: 0 };
  const cost = length + (isFurther ? FRAME : 0);
  return { cost, chance: probability / Math.max(cost, MIN_LENGTH) };
}

/** Whether a text, as on a page about another product, is quoted from another section already. */
function isRepeated({ candidate, text }: QuotedUnit, chosen: readonly QuotedUnit[]): boolean {
  return chosen.some((unit) => unit.candidate !== candidate && repeats(unit.text, text));
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

/** The units in their order, with “…” for what is left out between them, and the title of an entry. */
function joined({ blocks, isEntry }: RankedCandidate, units: readonly QuotedUnit[]): string {
  const texts = units
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ place, text }, at, all) => {
      const isGap = at > 0 && place > (all[at - 1] as QuotedUnit).place + 1;
      return isGap ? ['…', text] : [text];
    });
  return closed([...(isEntry ? [(blocks[0] as ReadBlock).markdown] : []), ...texts].join('\n\n'));
}

/** The text of a unit; of a long one, what answers best. */
function quoted(words: QuestionWords, unit: AnswerUnit, frames: AnswerFrames): string {
  const { blocks, candidate } = unit;
  if (candidate.isOperation) return quoteOperation(words, candidate);
  const isWhole = blocks.some((block) => block.kind === 'table' || isSteps(block));
  const hasCode = blocks.some((block) => block.kind === 'code');
  const limit = isWhole ? MAX_TOGETHER : hasCode ? MAX_CODE : MAX_UNIT;
  const lengths = blocks.map(({ markdown }) => sentLength(markdown));
  const longest = Math.max(...lengths);
  const others = lengths.reduce((sum, length) => sum + length, 0) - longest;
  // What is said around a list or code is shortened only if that alone is too long.
  const room = Math.max(limit - others, limit / 2);
  const share = Math.min(1, (limit - room) / Math.max(1, others));
  const texts = blocks.map((block, at) => {
    const length = lengths[at] as number;
    const most = length === longest ? room : length * share;
    return length <= most
      ? block.markdown
      : shortenBlock(words, block, Math.max(most, MIN_PART), frames);
  });
  return texts.join('\n\n');
}

/** In a block quote, each line has a mark. */
function sentLength(text: string): number {
  return text.length + 2 * text.split('\n').length;
}
