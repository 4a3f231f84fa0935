/**
 * Returns the edit distance: insertions, deletions, replacements and swaps of neighbors that turn
 * `from` into `to`.
 */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] as number;
}

/** Half of a shorter name would be the typo. */
const MIN_NAME_LENGTH = 3;
/** More typos than that are another name. */
const MAX_DISTANCE = 3;
/**
 * Longer names are not compared: typos between them are unlikely, and comparing costs the product
 * of the lengths.
 */
const MAX_NAME_LENGTH = 100;

/**
 * Returns the names that a mistyped one may have meant: those within a third of its length, at
 * least one letter and at most three, ignoring case, the nearest first.
 */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  return compareNames(name, names).map(({ candidate }) => candidate);
}

/** The same without those that are further away than the nearest. */
export function onlyNearestNames(name: string, names: Iterable<string>): string[] {
  const all = compareNames(name, names);
  return all
    .filter(({ distance }) => distance === all[0]?.distance)
    .map(({ candidate }) => candidate);
}

function compareNames(
  name: string,
  names: Iterable<string>,
): { candidate: string; distance: number }[] {
  if (name.length < MIN_NAME_LENGTH || name.length > MAX_NAME_LENGTH) return [];
  const maxDistance = Math.min(Math.max(1, Math.floor(name.length / 3)), MAX_DISTANCE);
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of names) {
    // The lengths alone are that far apart.
    if (Math.abs(candidate.length - name.length) > maxDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= maxDistance) near.push({ candidate, distance });
  }
  return near.sort((a, b) => a.distance - b.distance);
}

/** Returns the name that a mistyped one probably meant; undefined if none is close. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  return nearestNames(name, names)[0];
}

/**
 * Returns the remedy that names what was probably meant, else the other one. @param formatName the
 * name as the author would write it
 */
export function didYouMean(
  meant: string | undefined,
  otherwise: string,
  formatName = (name: string) => `"${name}"`,
): string {
  return meant === undefined ? otherwise : `Did you mean ${formatName(meant)}?`;
}
