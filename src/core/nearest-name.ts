/** Returns the edit distance: insertions, deletions and replacements that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}

/** Half of a shorter name would be the typo. */
const MIN_NAME_LENGTH = 3;
/** Longer names are not compared: typos between them are unlikely, and comparing costs the product of the lengths. */
const MAX_NAME_LENGTH = 100;

/**
 * Returns the name that a mistyped one probably meant: the nearest of `names`, ignoring case, within a third of its length or one letter.
 * Undefined if none is close.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name.length < MIN_NAME_LENGTH || name.length > MAX_NAME_LENGTH) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
