import { shared } from '../shared.ts';
import { readStoredJson, writeStored } from '../storage.ts';
import { onEachPage } from './page-lifecycle.ts';

const KEY = 'docent-scroll';
const MAX_ENTRIES = 100;

const memory = shared('scroll', () => ({
  /** Scroll position of each history entry: its id → pixels from the top. */
  places: new Map<string, number>(),
  entry: '',
  lastNumber: 0,
}));

function newId(): string {
  return `${Date.now().toString(36)}-${++memory.lastNumber}`;
}

function idOf(state: unknown): string | undefined {
  const id = (state as { docentEntry?: unknown } | null)?.docentEntry;
  return typeof id === 'string' ? id : undefined;
}

function load(): void {
  const stored = readStoredJson('session', KEY);
  if (!Array.isArray(stored)) return;
  for (const [id, top] of stored.filter(Array.isArray)) {
    if (typeof id === 'string' && typeof top === 'number') memory.places.set(id, top);
  }
}

/** Stores the scroll position of the current entry. */
export function keepPlace(): void {
  memory.places.delete(memory.entry);
  memory.places.set(memory.entry, scrollY);
}

/** Returns the state for a new entry, which becomes the current one. */
export function nextEntryState(): { docentEntry: string } {
  memory.entry = newId();
  return { docentEntry: memory.entry };
}

/**
 * Returns whether the browser is on an entry that was current before, rather than on a new one that
 * a fragment created.
 */
export function isKnownEntry(): boolean {
  return idOf(history.state) !== undefined;
}

/**
 * Makes the entry that the browser has moved to the current one, and gives it an id if it has none.
 */
export function adoptEntry(): void {
  const existingId = idOf(history.state);
  memory.entry = existingId ?? newId();
  if (existingId === undefined)
    history.replaceState({ ...(history.state as object | null), docentEntry: memory.entry }, '');
}

/** Returns the scroll position of the current entry; undefined if it has none. */
export function keptPlace(): number | undefined {
  return memory.places.get(memory.entry);
}

/**
 * Starts storing positions. For an entry that was created by a swap, the browser must not restore
 * the position; it is restored here, and again when the images have loaded, unless the reader has
 * scrolled since.
 */
export function startScrollMemory(): void {
  load();
  adoptEntry();
  const top = history.scrollRestoration === 'manual' ? keptPlace() : undefined;
  if (top !== undefined) {
    scrollTo({ top, behavior: 'instant' });
    const reached = scrollY;
    addEventListener('load', () => scrollY === reached && scrollTo({ top, behavior: 'instant' }), {
      once: true,
    });
  }
  addEventListener('pagehide', () => {
    keepPlace();
    writeStored('session', KEY, JSON.stringify([...memory.places].slice(-MAX_ENTRIES)));
  });
}

const SIDEBAR_KEY = 'docent-sidebar-scroll';

interface Kept {
  /** Identifies a sidebar: its file, or its first and last entries and their number. */
  list: string;
  top: number;
}

function listName(panel: HTMLElement): string {
  const list = panel.querySelector<HTMLElement>('#navigation-items');
  if (list?.dataset.menu) return list.dataset.menu;
  const links = panel.querySelectorAll<HTMLAnchorElement>('#navigation-items a');
  return `${links.length} ${links[0]?.textContent} ${links[links.length - 1]?.textContent}`;
}

function keptTop(list: string): number | undefined {
  const kept = readStoredJson('session', SIDEBAR_KEY) as Kept | null;
  return kept?.list === list ? Number(kept.top) : undefined;
}

/** The scroll position before a swap; an element that stays keeps its own. */
let lastSidebar: { panel: HTMLElement; list: string } | undefined;

function place(): undefined {
  const panel = document.getElementById('sidebar-content');
  if (!panel) return;
  const list = listName(panel);
  if (lastSidebar?.panel !== panel || lastSidebar.list !== list)
    panel.scrollTop = keptTop(list) ?? 0;
  lastSidebar = { panel, list };
  const current = panel.querySelector<HTMLElement>('#navigation-items [aria-current="page"]');
  if (!current) return;
  const frame = panel.getBoundingClientRect();
  const item = current.getBoundingClientRect();
  const hidden = item.top < frame.top + 16 || item.bottom > frame.bottom - 48;
  if (hidden) panel.scrollTop += item.top - frame.top - frame.height / 3;
}

/**
 * Keeps the scroll position of the list of pages, unless the current page would then be out of
 * view.
 */
export function startSidebarScroll(): void {
  onEachPage(place);
  addEventListener('pagehide', () => {
    if (!lastSidebar) return;
    const { list, panel } = lastSidebar;
    writeStored(
      'session',
      SIDEBAR_KEY,
      JSON.stringify({ list, top: panel.scrollTop } satisfies Kept),
    );
  });
}
