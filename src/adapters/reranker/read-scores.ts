import { ProviderFault } from '../../ports/provider-fault.ts';

/** A passage that a provider scored: its index in the request and its score. */
export interface Judged {
  index: unknown;
  score: unknown;
}

/**
 * Returns the scores of passages in the order of the request. Some models return a probability, others an unbounded number (a
 * logit), which is converted to a probability.
 * @param as the kind of the scores, if known
 * @throws ProviderFault if a passage has no score or the score is not a number
 */
export function readScores(judged: readonly Judged[], count: number, as: 'any' | 'logits' = 'any'): number[] {
  const scores = Array<number>(count).fill(Number.NaN);
  for (const { index, score } of judged) {
    if (typeof index !== 'number' || !(index in scores)) throw wrong('a passage that was not in the request');
    if (typeof score === 'number') scores[index] = score;
  }
  if (!scores.every(Number.isFinite)) throw wrong('fewer scores than passages');
  const areProbabilities = as === 'any' && scores.every((score) => score >= 0 && score <= 1);
  return areProbabilities ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function wrong(what: string): ProviderFault {
  return new ProviderFault('refused', `The reranker returned ${what}.`);
}
