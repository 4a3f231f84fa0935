import type { FactSource } from '../index/search-data.ts';
import { pageFacts } from './page-facts.ts';
import type { SecondStageWeights } from './second-stage-weights.ts';
import { secondStageWeights } from './weights.ts';

/** Worth is quantized, so that it takes one character in a sharded index, and ranks the same there as in the whole. */
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

/** Returns the query-independent worth of each page: the sum of its facts with the weights of the second stage. */
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
