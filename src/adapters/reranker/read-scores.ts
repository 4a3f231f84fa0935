import { ProviderFault } from '../../ports/provider-fault.ts';

/** A passage that a provider judged: its place in the request and its worth. */
export interface Judged {
  index: unknown;
  score: unknown;
}

/**
 * The scores of passages in the order of the request. Some models give a probability, others a number of any size (a logit),
 * which becomes one.
 * @throws ProviderFault where a passage is not judged, or not with a number
 */
export function readScores(judged: readonly Judged[], count: number): number[] {
  const scores = Array<number>(count).fill(Number.NaN);
  for (const { index, score } of judged) {
    if (typeof index !== 'number' || !(index in scores)) throw wrong('a passage that it was not asked about');
    if (typeof score === 'number') scores[index] = score;
  }
  if (!scores.every(Number.isFinite)) throw wrong('fewer scores than passages');
  const areProbabilities = scores.every((score) => score >= 0 && score <= 1);
  return areProbabilities ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function wrong(what: string): ProviderFault {
  return new ProviderFault('refused', `The reranker answered with ${what}.`);
}
