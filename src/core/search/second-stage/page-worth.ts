import { type FactSource, pageFacts } from './page-facts.ts';
import type { SecondStageWeights } from './second-stage-weights.ts';
import { secondStageWeights } from './weights.ts';

/** Worth is kept in steps, so that it takes a character where an index is sent in shards, and ranks the same there as in the whole. */
const STEPS_OF_ONE = 8;
const WORTH_BITS = 8;
const MIDDLE = 1 << (WORTH_BITS - 1);
const HIGHEST = (1 << WORTH_BITS) - 1;

export function worthStep(worth: number): number {
  return Math.min(HIGHEST, Math.max(0, Math.round(worth * STEPS_OF_ONE) + MIDDLE));
}

export function worthOfStep(step: number): number {
  return (step - MIDDLE) / STEPS_OF_ONE;
}

/** What speaks for each page before anybody asks: the sum of its facts as the second stage weighs them. */
export function pageWorth(
  source: FactSource,
  { page: weights, pageMeans }: SecondStageWeights = secondStageWeights,
): Float32Array {
  return Float32Array.from(pageFacts(source), (facts) => {
    const worth = facts.reduce(
      (sum, fact, column) => sum + (fact - (pageMeans[column] as number)) * (weights[column] as number),
      0,
    );
    return worthOfStep(worthStep(worth));
  });
}
