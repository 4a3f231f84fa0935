import type { Passage } from './chat-request.ts';
import { type Candidate, isEntryTitle, type ReadBlock, union } from './passage-candidates.ts';
import type { QuestionKind } from './question-kind.ts';
import type { QuestionWords } from './question-words.ts';

export interface RankedCandidate extends Candidate {
  /** How probable it is that this one answers, if any does: all of them add up to 1. */
  probability: number;
  /** Worth of each block: the share of the question that it has. */
  blockShares: number[];
  /** How well page title, headings and text together have each word. */
  found: Float32Array;
}

/**
 * Weights of a linear model, fitted on seventy real questions and rounded (see bench/results/extractive-answers.md). No single
 * one decides: without one repository, the rest fit nearly the same.
 */
const WEIGHTS = {
  /** Shares of the question, 0–1, rare words counting more. */
  body: 0.9,
  bestBlock: 0.8,
  heading: 0.8,
  everything: 1,
  /** The same, all words alike. */
  plain: 0.6,
  /** Logarithm of its place in the search's order. */
  place: -1.4,
  stepsForHowTo: 0.9,
  codeForHowTo: 0.7,
  proseForOthers: 0.5,
  /** “A webhook is …” for “what is a webhook?” */
  definition: 0.8,
  /** The beginning of a page says what it is about. */
  beginning: 0.6,
  closing: -1,
  /** Lists of fields are for looking up, and have so many words that some fit every question. */
  fields: -0.6,
};
const FEWEST_LETTERS_OF_PROSE = 60;
/** Begins by saying what something is. */
const DEFINES = /^[^.:!?\n]{1,60}?\s(?:is|are|lets?|allows?|means?|ist|sind|est|sont|es|son|é|são|è)\s/iu;
const FIELD = /^[ \t]*- `[^`\n]+` \([`'a-z]/gm;
const FEWEST_FIELDS = 3;
/** Sections that lead elsewhere. */
const CLOSING_SECTION =
  /^(?:conclusion|summary|next steps?|related(?: \w+)?|see also|need (?:more )?help|additional resources|learn more|resources|further reading|getting help|table of contents|what['’]?s next|questions)\W*$/i;

/** Orders what may be quoted, best first. */
export function rankCandidates(
  words: QuestionWords,
  candidates: readonly Candidate[],
  passages: readonly Passage[],
  kind: QuestionKind,
): RankedCandidate[] {
  const everything = candidates.map((one) => union([one.titleFound, one.headFound, one.bodyFound]));
  const rarity = rarityOf(everything, words.count);
  const places = new Map(passages.map((passage, index) => [passage, index]));
  const ranked = candidates.map((candidate, index) => {
    const found = everything[index] as Float32Array;
    const blockShares = candidate.blocks.map(({ kind, found: ofBlock }) =>
      kind === 'heading' ? 0 : words.share(ofBlock, rarity),
    );
    const score =
      WEIGHTS.body * words.share(candidate.bodyFound, rarity) +
      WEIGHTS.bestBlock * Math.max(...blockShares) +
      WEIGHTS.heading * words.share(candidate.headFound, rarity) +
      WEIGHTS.everything * words.share(found, rarity) +
      WEIGHTS.plain * words.share(found) +
      WEIGHTS.place * Math.log(1 + (places.get(candidate.passage) ?? 0)) +
      formScore(candidate, kind);
    return { ...candidate, blockShares, found, score };
  });
  return withProbabilities(ranked);
}

/** Whether it has the form of an answer: steps, commands, prose, and stands where answers stand. */
function formScore({ blocks, headFound, passage: { headings } }: Candidate, kind: QuestionKind): number {
  const heading = headings.at(-1) ?? '';
  const has = (test: (block: ReadBlock) => boolean, weight: number) => (blocks.some(test) ? weight : 0);
  const place = heading === '' ? WEIGHTS.beginning : CLOSING_SECTION.test(heading.trim()) ? WEIGHTS.closing : 0;
  const score = place + has(listsFields, WEIGHTS.fields);
  if (kind === 'how-to')
    return (
      score +
      has((block) => block.kind === 'list' && /^\d/.test(block.markdown), WEIGHTS.stepsForHowTo) +
      has((block) => block.kind === 'code', WEIGHTS.codeForHowTo)
    );
  const isAboutIt = kind === 'definition' && (heading === '' || headFound.some((found) => found > 0));
  return score + has(isProse, WEIGHTS.proseForOthers) + (isAboutIt ? has(defines, WEIGHTS.definition) : 0);
}

function isProse(block: ReadBlock): boolean {
  return block.kind === 'paragraph' && block.markdown.length > FEWEST_LETTERS_OF_PROSE && !isEntryTitle(block);
}

function listsFields({ kind, markdown }: ReadBlock): boolean {
  return kind === 'list' && (markdown.match(FIELD)?.length ?? 0) >= FEWEST_FIELDS;
}

function defines(block: ReadBlock): boolean {
  return isProse(block) && DEFINES.test(block.markdown) && block.found.some((found) => found > 0);
}

function withProbabilities(ranked: readonly (Omit<RankedCandidate, 'probability'> & { score: number })[]): RankedCandidate[] {
  const best = Math.max(...ranked.map((one) => one.score));
  const weights = ranked.map((one) => Math.exp(one.score - best));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return ranked
    .map((one, index) => ({ ...one, probability: (weights[index] as number) / all }))
    .sort((a, b) => b.probability - a.probability);
}

/** A word that all of them have does not tell them apart. */
function rarityOf(everything: readonly Float32Array[], words: number): Float32Array {
  const counts = new Float32Array(words);
  for (const found of everything) for (let i = 0; i < words; i++) (counts[i] as number) += found[i] as number;
  return counts.map((count) => Math.log(1 + everything.length / (0.5 + count)));
}
