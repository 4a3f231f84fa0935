interface Scored {
  item: number;
  score: number;
}

/**
 * Selects the best few of many items as they come: items below the current worst are skipped with
 * one comparison.
 */
export class BestItems {
  readonly #most: number;
  /** Best first. */
  readonly #best: Scored[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The score of the worst selected item, which others must exceed; below every score while there
   * is room.
   */
  get floor(): number {
    return this.#best[this.#most - 1]?.score ?? Number.NEGATIVE_INFINITY;
  }

  offer(item: number, score: number): void {
    const best = this.#best;
    let at = best.length;
    while (at > 0 && isBetter(item, score, best[at - 1] as Scored)) at--;
    if (at >= this.#most) return;
    best.splice(at, 0, { item, score });
    if (best.length > this.#most) best.pop();
  }

  /** Best first; ties by the lower item. */
  inOrder(): number[] {
    return this.#best.map(({ item }) => item);
  }
}

function isBetter(item: number, score: number, other: Scored): boolean {
  return score > other.score || (score === other.score && item < other.item);
}

/** Returns the `count` items with the highest scores, best first; ties by the lower item. */
export function bestFirst(items: readonly number[], scores: Float32Array, count: number): number[] {
  const best = new BestItems(count);
  for (const item of items) best.offer(item, scores[item] as number);
  return best.inOrder();
}
