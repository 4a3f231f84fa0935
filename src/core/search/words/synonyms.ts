import { stem } from './stem.ts';
import { synonymFamilies } from './synonym-families.ts';

/** Words of a phrase are stemmed and joined by a space; a single word is its stem. */
function stemmedEntry(entry: string): string {
  return entry.split('_').map(stem).join(' ');
}

function readFamilies(): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const family of synonymFamilies.split(',')) {
    const entries = family.trim().split(/\s+/).map(stemmedEntry);
    for (const entry of entries) {
      const known = related.get(entry) ?? new Set();
      for (const other of entries) if (other !== entry) known.add(other);
      related.set(entry, known);
    }
  }
  return related;
}

const related = readFamilies();
const NONE: ReadonlySet<string> = new Set();

/** Maximum words of a phrase that `synonymsOf` knows. */
export const MAX_PHRASE_WORDS = 3;

/** Returns other names for the same thing. Takes and returns stems; a phrase is its stems joined by single spaces. */
export function synonymsOf(stems: string): ReadonlySet<string> {
  return related.get(stems) ?? NONE;
}

/** Returns every stem that a synonym may add to a query, those of one family adjacent. */
export function synonymStems(): string[] {
  const stems = new Set<string>();
  for (const entry of related.keys()) {
    const words = entry.split(' ');
    for (const word of words) stems.add(word);
    if (words.length > 1) stems.add(stem(words.join('')));
  }
  return [...stems];
}
