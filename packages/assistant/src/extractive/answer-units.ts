import { listItems } from '../chat/markdown-blocks.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import { announces, introduces, type ReadBlock, union } from './passage-candidates.ts';
import type { QuestionTraits } from './question-kind.ts';
import { leadsElsewhere } from './quote-candidate.ts';
import { type RankedCandidate, rarityOf } from './rank-candidates.ts';
import { unitWeights } from './weights.ts';

/** Blocks that are understood only together: a sentence and the list or code that it announces. */
export interface AnswerUnit {
  candidate: RankedCandidate;
  /** Its place among the units of its section. */
  place: number;
  blocks: readonly ReadBlock[];
  /** The features of its probability. */
  evidence: Record<UnitColumn, number>;
  /** The probability that this one answers, given that any does: all of them sum to 1. */
  probability: number;
}

/** The features of a unit. */
export type UnitColumn = keyof ReturnType<typeof evidenceOf>;

/** Lower bound of probabilities before taking their logarithm. */
const MIN_PROBABILITY = 0.003;
const weights: Record<UnitColumn, number> = unitWeights;
export const UNIT_COLUMNS = Object.keys(weights) as UnitColumn[];

/** Splits sections into units, and says how likely each one answers. */
export function answerUnits(
  words: QuestionWords,
  traits: QuestionTraits,
  candidates: readonly RankedCandidate[],
): AnswerUnit[] {
  const sections = candidates.map((candidate) =>
    rangesOf(candidate).map((blocks) => ({
      blocks,
      found: union(blocks.map(({ found }) => found)),
    })),
  );
  const all = sections.flat().map(({ found }) => found);
  const rarity = rarityOf(all, words.count);
  const units = sections.flatMap((section, at) => {
    const candidate = candidates[at] as RankedCandidate;
    const shares = section.map(({ found }) => words.share(found, rarity));
    const best = Math.max(...shares);
    return section.map(({ blocks, found }, place) => {
      const share = shares[place] as number;
      const among = {
        ...{ rarity, share },
        ...{ isBest: share > 0 && share === best, isAlone: section.length === 1 },
      };
      const evidence = evidenceOf(words, traits, candidate, { blocks, found }, among);
      return { candidate, place, blocks, evidence };
    });
  });
  const scores = units.map(({ evidence }) =>
    UNIT_COLUMNS.reduce((sum, key) => sum + weights[key] * evidence[key], 0),
  );
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return units.map((unit, at) => ({ ...unit, probability: (powers[at] as number) / total }));
}

const NEEDS = /\b(?:needs?|requires?|required|prerequisites?|before i|have to have)\b/i;
const REQUIRES = /\b(?:needs?|requires?|required|prerequisites?|must have|before you)\b/i;

/**
 * Returns the features of a unit's probability.
 * @param among how rare each word is among all units, the share of the question that this one has,
 *   and whether none of its section has more, or is beside it
 */
function evidenceOf(
  words: QuestionWords,
  { kind, text, isAboutApi, identifiers }: QuestionTraits,
  { probability, headFound, titleFound, isOperation }: RankedCandidate,
  { blocks, found }: { blocks: readonly ReadBlock[]; found: Float32Array },
  among: { rarity: Float32Array; share: number; isBest: boolean; isAlone: boolean },
) {
  const head = union([headFound, titleFound]);
  const beyondHead = found.map((closeness, word) =>
    Math.max(0, closeness - (head[word] as number)),
  );
  const has = (test: (block: ReadBlock) => boolean) => blocks.some(test);
  return {
    section: Math.log(probability + MIN_PROBABILITY),
    share: among.share,
    // What the headings do not say already.
    beyond: words.share(beyondHead, among.rarity),
    isBest: Number(among.isBest),
    alone: Number(among.isAlone),
    codeForHowTo: Number(kind === 'how-to' && has((block) => block.kind === 'code')),
    stepsForHowTo: Number(kind === 'how-to' && has(isSteps)),
    callout: Number(blocks[0]?.markdown.startsWith('>') === true),
    links: Number(blocks.every(isLinks)),
    requirement: Number(NEEDS.test(text) && has(({ markdown }) => REQUIRES.test(markdown))),
    operation: Number(isOperation && !isAboutApi),
    identifiers: identifiers.filter((name) => has(({ markdown }) => markdown.includes(name)))
      .length,
  };
}

/** The blocks of each unit, without the title of an entry and further variants of an example. */
function rangesOf({ blocks, isEntry, isOperation }: RankedCandidate): ReadBlock[][] {
  if (isOperation) return [blocks];
  const units: ReadBlock[][] = [];
  for (const block of blocks.slice(isEntry ? 1 : 0)) {
    const last = units.at(-1);
    if (last !== undefined && belongs(last, block)) last.push(block);
    else units.push([block]);
  }
  return units.filter((unit, at) => !isVariant(unit) || !units.slice(0, at).some(isVariant));
}

/** Whether a block is understood only with those before it. */
function belongs(unit: readonly ReadBlock[], { kind, markdown }: ReadBlock): boolean {
  const before = unit.at(-1) as ReadBlock;
  if (introduces(before) || announces(before) || REFERS_BACK.test(markdown)) return true;
  return (
    kind === 'code' && before.kind === 'paragraph' && !unit.some((block) => block.kind === 'code')
  );
}

/** A paragraph about the code or the table before it. */
const REFERS_BACK =
  /^(?:in th(?:is|e above) example|(?:as )?you can see|as (?:shown|mentioned|described|noted))\b/i;

/**
 * An example for one language, under the label of a tab: the same for another one is left to the
 * page.
 */
function isVariant(unit: readonly ReadBlock[]): boolean {
  return unit.length === 2 && TAB.test(unit[0]?.markdown ?? '') && unit[1]?.kind === 'code';
}

const TAB = /^\*\*[^*\n]{1,40}\*\*$/;

/** Whether a block is a procedure. */
export function isSteps({ kind, markdown }: ReadBlock): boolean {
  return kind === 'list' && STEPS.test(markdown);
}

/** Whether a list or a paragraph leads to other pages. */
function isLinks(block: ReadBlock): boolean {
  return block.kind === 'list'
    ? listItems(block.markdown).every((item) => LINK.test(item))
    : leadsElsewhere(block);
}

/** The first step of a list. */
const STEPS = /^\d{1,9}[.)][ \t]/;
const LINK = /^[-*+] (?:\*\*)?\[[^\]]*\]\(/;
