import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-recent-searches';
const MOST = 5;

/** Returns the reader's last searches, newest first. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(readStored('local', KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Stores a search with an opened result. */
export function rememberSearch(query: string): void {
  const kept = recentSearches().filter((other) => other !== query);
  writeStored('local', KEY, JSON.stringify([query, ...kept].slice(0, MOST)));
}

/** Clears the list. */
export function clearSearches(): void {
  writeStored('local', KEY, null);
}
