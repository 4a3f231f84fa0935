/** The beginnings of sorted groups of words, as short as tells each first word from the one before it. */
export function shortStarts(groups: readonly (readonly string[])[]): string[] {
  return groups.map((group, i) => {
    const first = group[0] as string;
    const before = groups[i - 1]?.at(-1) ?? '';
    let shared = 0;
    while (shared < before.length && before[shared] === first[shared]) shared++;
    return first.slice(0, shared + 1);
  });
}

/** The group that a word can stand in, or -1 where it is before all of them. */
export function groupOf(starts: readonly string[], word: string): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as string) <= word) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
