/** Selects the best few of many items as they come: items below the current worst are skipped with one comparison. */
export class BestItems {
  private readonly most: number;
  /** A heap with the worst selected item on top. */
  private readonly items: Uint32Array;
  private readonly scores: Float32Array;
  private count = 0;

  constructor(most: number) {
    this.most = most;
    this.items = new Uint32Array(most);
    this.scores = new Float32Array(most);
  }

  /** The score of the worst selected item, which others must exceed; below every score while there is room. */
  get floor(): number {
    return this.count < this.most || this.most === 0 ? Number.NEGATIVE_INFINITY : (this.scores[0] as number);
  }

  offer(item: number, score: number): void {
    if (this.count < this.most) {
      this.rise(this.count++, item, score);
    } else if (this.most > 0 && isBetter(item, score, this.items[0] as number, this.scores[0] as number)) {
      this.sink(item, score);
    }
  }

  /** Best first; ties by the lower item. */
  inOrder(): number[] {
    const { items, scores } = this;
    const places = Array.from({ length: this.count }, (_, place) => place);
    places.sort((a, b) => (scores[b] as number) - (scores[a] as number) || (items[a] as number) - (items[b] as number));
    return places.map((place) => items[place] as number);
  }

  private rise(from: number, item: number, score: number): void {
    const { items, scores } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBetter(items[parent] as number, scores[parent] as number, item, score)) break;
      items[at] = items[parent] as number;
      scores[at] = scores[parent] as number;
      at = parent;
    }
    items[at] = item;
    scores[at] = score;
  }

  /** Replaces the worst item. */
  private sink(item: number, score: number): void {
    const { items, scores, count } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= count) break;
      const other = child + 1;
      const otherIsWorse =
        other < count &&
        isBetter(items[child] as number, scores[child] as number, items[other] as number, scores[other] as number);
      if (otherIsWorse) child = other;
      if (!isBetter(item, score, items[child] as number, scores[child] as number)) break;
      items[at] = items[child] as number;
      scores[at] = scores[child] as number;
      at = child;
    }
    items[at] = item;
    scores[at] = score;
  }
}

function isBetter(item: number, score: number, other: number, otherScore: number): boolean {
  return score > otherScore || (score === otherScore && item < other);
}

/** Returns the `count` items with the highest scores, best first; ties by the lower item. */
export function bestFirst(items: readonly number[], scores: Float32Array, count: number): number[] {
  const best = new BestItems(Math.max(0, Math.min(count, items.length)));
  for (const item of items) best.offer(item, scores[item] as number);
  return best.inOrder();
}
