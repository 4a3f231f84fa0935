import { pageData } from '../page-data.ts';
import { readStored, writeStored } from '../storage.ts';

const MOST = 5;

/** A page that the reader opened from the search. */
export interface RecentPage {
  title: string;
  /** Site path, with an anchor if there is one. */
  href: string;
}

/** Other sites may share the origin, and other languages have other pages. */
function storageKey(): string {
  return `docent-recent-pages ${new URL(pageData().root, document.baseURI).pathname} ${document.documentElement.lang}`;
}

function isPage(value: unknown): value is RecentPage {
  const { title, href } = (value ?? {}) as Partial<RecentPage>;
  return typeof title === 'string' && typeof href === 'string' && href.startsWith('/') && !href.startsWith('//');
}

/** Returns the pages most recently opened from the search, newest first. */
export function recentPages(): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(readStored('local', storageKey()) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPage).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Stores an opened page. */
export function rememberPage({ title, href }: RecentPage): void {
  const kept = recentPages().filter((other) => other.href !== href);
  writeStored('local', storageKey(), JSON.stringify([{ title, href }, ...kept].slice(0, MOST)));
}

/** Clears the list. */
export function clearPages(): void {
  writeStored('local', storageKey(), null);
}
