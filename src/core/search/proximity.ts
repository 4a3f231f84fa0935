import type { QueryGroup } from './query-groups.ts';
import { scanWords, wordStems } from './words/tokenize.ts';

/** Words further apart than this are unrelated. */
const MAX_GAP = 6;

/**
 * Returns how close the adjacent words of a query are in a text: 0 not at all, 1 all of them adjacent and in order. Only for the
 * few best candidates, because it reads the text.
 */
export function proximity(groups: readonly QueryGroup[], text: string): number {
  const content = groups.filter((group) => group.importance > 0.2);
  if (content.length < 2) return 0;
  const wanted = new Map(content.map((group, index) => [group.stem, index]));
  const lastSeen = new Array<number>(content.length).fill(-1);
  const nearest = new Array<number>(content.length - 1).fill(0);
  let position = 0;
  const seePair = (pair: number, other: number, worth: number) => {
    if (pair < 0 || pair >= nearest.length || lastSeen[other] === -1) return;
    const gap = position - (lastSeen[other] as number);
    if (gap > MAX_GAP) return;
    const closeness = (1 - (gap - 1) / MAX_GAP) * worth;
    nearest[pair] = Math.max(nearest[pair] as number, Math.min(1, closeness));
  };
  const see = (found: string) => {
    const index = wanted.get(found);
    if (index === undefined) return;
    lastSeen[index] = position;
    seePair(index - 1, index - 1, 1);
    // The reverse order is less significant than the order of the query.
    seePair(index, index + 1, 0.7);
  };
  scanWords(text, (word) => {
    const { stems, isStopWord } = wordStems(word);
    if (isStopWord) return;
    position++;
    for (const found of stems) see(found);
  });
  return nearest.reduce((sum, closeness) => sum + closeness, 0) / nearest.length;
}
