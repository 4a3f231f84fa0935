import { onceForEach } from '@docent/format/once.ts';
import entries from './lexicon.json' with { type: 'json' };
import { stem } from './stem.ts';

/*
 * What readers say and documentation does not: `lexicon.json` maps a word or phrase (`cut off`) to
 * words that the page that answers may contain (`truncate limit timeout`). One way only: who asks
 * about limits does not mean being cut off. A change requires new training (`npm run train`).
 */

let read: Map<string, readonly string[]> | undefined;
const NONE: readonly string[] = [];

/**
 * Returns all entries: the stems of what is asked, joined by single spaces, and the stems of what
 * it may mean, best first.
 */
export function lexicon(): ReadonlyMap<string, readonly string[]> {
  read ??= readEntries();
  return read;
}

function readEntries(): Map<string, readonly string[]> {
  // A word is in eight entries on average.
  const stemOf = onceForEach(stem);
  const stemsOf = onceForEach((phrase: string) =>
    /[ _]/.test(phrase) ? phrase.split(/[ _]/).map(stemOf).join(' ') : stemOf(phrase),
  );
  return new Map(
    Object.entries(entries).map(([asked, meant]) => [
      stemsOf(asked),
      meant.split(' ').map(stemsOf),
    ]),
  );
}

/**
 * Returns what a word or phrase of a reader may mean. Takes and returns stems; those of a phrase
 * are joined by single spaces.
 */
export function meantBy(stems: string): readonly string[] {
  return lexicon().get(stems) ?? NONE;
}
