import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-recent-searches';
const MOST = 5;

/** The reader's last searches, newest first. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(readStored('local', KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Remembers a search that led somewhere. */
export function rememberSearch(query: string): void {
  const kept = recentSearches().filter((other) => other !== query);
  writeStored('local', KEY, JSON.stringify([query, ...kept].slice(0, MOST)));
}

/** Forgets them all. */
export function forgetSearches(): void {
  writeStored('local', KEY, null);
}
