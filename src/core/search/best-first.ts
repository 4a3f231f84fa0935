/**
 * The `count` items with the highest scores, best first; among equals the lower item first. For picking a few of many
 * without sorting them all.
 */
export function bestFirst(items: readonly number[], scores: Float32Array, count: number): number[] {
  const byScore = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  if (count <= 0) return [];
  if (items.length <= count) return [...items].sort(byScore);
  // A heap with the worst of the chosen on top: what is worse than that is passed over with one look.
  const heap = items.slice(0, count);
  for (let at = (count >> 1) - 1; at >= 0; at--) sink(heap, at, byScore);
  for (let i = count; i < items.length; i++) {
    const item = items[i] as number;
    if (byScore(item, heap[0] as number) >= 0) continue;
    heap[0] = item;
    sink(heap, 0, byScore);
  }
  return heap.sort(byScore);
}

function sink(heap: number[], from: number, byScore: (a: number, b: number) => number): void {
  let at = from;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && byScore(heap[child + 1] as number, heap[child] as number) > 0) child++;
    if (byScore(heap[child] as number, heap[at] as number) <= 0) return;
    [heap[at], heap[child]] = [heap[child] as number, heap[at] as number];
    at = child;
  }
}
