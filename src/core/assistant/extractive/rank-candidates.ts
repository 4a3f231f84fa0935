import { type Form, formOf } from './candidate-form.ts';
import { type Candidate, union } from './passage-candidates.ts';
import type { QuestionTraits } from './question-kind.ts';
import { QuestionWords } from './question-words.ts';
import { sectionWeights } from './section-weights.ts';
import { namesOther } from './title-names.ts';

export interface RankedCandidate extends Candidate {
  /** The probability that this one answers, given that any does: all of them sum to 1. */
  probability: number;
  /** Score of each block: the share of the question that it covers. */
  blockShares: number[];
  /** How well page title, description, headings and text together match each word. */
  found: Float32Array;
  /** The features of its rank. */
  evidence: Record<SectionColumn, number>;
}

/** Matched shares of the question, 0–1; rare words count more. */
interface Shares {
  heading: number;
  /** Words that are close to each other. */
  densest: number;
  everything: number;
  /** The same with equal weights. */
  plain: number;
}

/** The features of a rank. */
export type SectionColumn =
  | keyof Shares
  | keyof Form
  /** Logarithm of the search's probability of its page, or of its score. */
  | 'share'
  /** Logarithm of its search rank within its page. */
  | 'place'
  /** Logarithm of its length. */
  | 'length'
  /** A page about one product helps few readers who do not use it. */
  | 'otherName'
  /** “Publish a site” for “How do I publish a site?”. */
  | 'named';

/** Lower bound of shares before taking their logarithm. */
const MIN_SHARE = 0.003;
/** The same for lengths. */
const MIN_LENGTH = 60;

const weights: Record<SectionColumn, number> = sectionWeights;
const KEYS = Object.keys(weights) as SectionColumn[];
/** Weight of matches in code, which is full of names. */
const CODE_WORTH = 0.6;
/** Shares of the question in title and heading, and of one of these in the question, from which the section is what was asked for. */
const NAMED_FROM = 0.9;
const NAMES_FROM = 0.75;

/** Ranks the candidates, best first. */
export function rankCandidates(words: QuestionWords, candidates: readonly Candidate[], asked: QuestionTraits): RankedCandidate[] {
  const everything = candidates.map((one) => union([one.titleFound, one.descriptionFound, one.headFound, one.bodyFound]));
  const rarity = rarityOf(everything, words.count);
  const placesOf = placesByPage(candidates);
  const ranked = candidates.map((candidate, index) => {
    const found = everything[index] as Float32Array;
    const blockShares = candidate.blocks.map((block) => (block.kind === 'heading' ? 0 : words.share(block.found, rarity)));
    const evidence = {
      heading: words.share(candidate.headFound, rarity),
      densest: densestBlock(words, candidate, rarity),
      everything: words.share(found, rarity),
      plain: words.share(found),
      share: Math.log((candidate.passage.share ?? candidate.passage.metadata.score) + MIN_SHARE),
      place: Math.log(1 + (placesOf.get(candidate.passage.path) as number[]).indexOf(candidate.place)),
      length: Math.log(MIN_LENGTH + candidate.blocks.reduce((sum, { markdown }) => sum + markdown.length, 0)),
      otherName: namesOther(words, candidate.passage.metadata.title) ? 1 : 0,
      named: isNamedBy(words, candidate, asked) ? 1 : 0,
      ...formOf(candidate, asked),
    };
    return {
      ...candidate,
      evidence,
      blockShares,
      found,
      score: KEYS.reduce((sum, key) => sum + weights[key] * evidence[key], 0),
    };
  });
  return withProbabilities(ranked);
}

/** Returns the search ranks of the sections of each page, best first. */
function placesByPage(candidates: readonly Candidate[]): Map<string, number[]> {
  const byPage = Map.groupBy(candidates, ({ passage }) => passage.path);
  return new Map([...byPage].map(([path, some]) => [path, [...new Set(some.map(({ place }) => place))].sort((a, b) => a - b)]));
}

/** Whether title and heading contain the words of the question, and one of them, or one of several questions in it, nothing else. */
function isNamedBy(words: QuestionWords, { titleFound, headFound, passage }: Candidate, { text }: QuestionTraits): boolean {
  if (words.share(union([titleFound, headFound])) < NAMED_FROM) return false;
  return [passage.metadata.title, ...(passage.headings.at(-1) ?? '').split(/(?<=[?？])/u)].some((name) => {
    const named = new QuestionWords(name);
    return named.share(named.found(text)) >= NAMES_FROM;
  });
}

function densestBlock(words: QuestionWords, { blocks }: Candidate, rarity: Float32Array): number {
  let best = 0;
  for (const { kind, matches } of blocks)
    best = Math.max(best, words.densest(matches, rarity) * (kind === 'code' ? CODE_WORTH : 1));
  return best;
}

function withProbabilities(ranked: readonly (Omit<RankedCandidate, 'probability'> & { score: number })[]): RankedCandidate[] {
  const best = Math.max(...ranked.map((one) => one.score));
  const weights = ranked.map((one) => Math.exp(one.score - best));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return ranked
    .map((one, index) => ({ ...one, probability: (weights[index] as number) / all }))
    .sort((a, b) => b.probability - a.probability);
}

/** A word that all candidates contain does not distinguish them. */
function rarityOf(everything: readonly Float32Array[], words: number): Float32Array {
  const counts = new Float32Array(words);
  for (const found of everything) for (let i = 0; i < words; i++) (counts[i] as number) += found[i] as number;
  return counts.map((count) => Math.log(1 + everything.length / (0.5 + count)));
}
