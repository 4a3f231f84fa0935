/**
 * Returns how the state of queued work reads: `Queued`, or `Queued, 2 before it`.
 * @param position how many come before it; absent from an older server
 */
export function queueWords(word: string, position: number | null | undefined): string {
  return position ? `${word}, ${position} before it` : word;
}
