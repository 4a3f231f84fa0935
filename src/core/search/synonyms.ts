import { stem } from './stem.ts';
import { synonymFamilies } from './synonym-families.ts';
import { moreSynonymFamilies } from './synonym-families-more.ts';

/** Words of a phrase are stemmed and joined by a space; a single word is its stem. */
function stemmedEntry(entry: string): string {
  return entry.split('_').map(stem).join(' ');
}

function readFamilies(): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const family of `${synonymFamilies.trim()}\n${moreSynonymFamilies.trim()}`.split('\n')) {
    const entries = family.split(' ').map(stemmedEntry);
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

/** Most words of a phrase that `synonymsOf` knows. */
export const LONGEST_PHRASE_WORDS = 3;

/**
 * What else the thing may be called. Takes and gives stems; a phrase is its stems joined by single spaces.
 */
export function synonymsOf(stems: string): ReadonlySet<string> {
  return related.get(stems) ?? NONE;
}
