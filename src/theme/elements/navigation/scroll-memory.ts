import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-scroll';
const MAX_ENTRIES = 100;

/** Where the reader was on each entry of the history: its id → pixels from the top. */
const places = new Map<string, number>();
let entry = '';
let lastNumber = 0;

function newId(): string {
  return `${Date.now().toString(36)}-${++lastNumber}`;
}

function idOf(state: unknown): string | undefined {
  const id = (state as { docentEntry?: unknown } | null)?.docentEntry;
  return typeof id === 'string' ? id : undefined;
}

function load(): void {
  try {
    const stored: unknown = JSON.parse(readStored('session', KEY) ?? '[]');
    if (!Array.isArray(stored)) return;
    for (const [id, top] of stored) if (typeof id === 'string' && typeof top === 'number') places.set(id, top);
  } catch {
    // Something else wrote under our key; the places are forgotten.
  }
}

/** Notes where the reader is on the entry that is still the current one. */
export function keepPlace(): void {
  places.delete(entry);
  places.set(entry, scrollY);
}

/** The state for an entry to be added; that entry is then the current one. */
export function nextEntryState(): { docentEntry: string } {
  entry = newId();
  return { docentEntry: entry };
}

/** Whether the browser is on an entry that has been the current one before, and not on a new one that a fragment made. */
export function isKnownEntry(): boolean {
  return idOf(history.state) !== undefined;
}

/** Takes the entry that the browser has moved to as the current one, and names it where it has no name. */
export function adoptEntry(): void {
  const known = idOf(history.state);
  entry = known ?? newId();
  if (known === undefined) history.replaceState({ ...(history.state as object | null), docentEntry: entry }, '');
}

/** Where the reader was on the current entry; undefined where they have not been. */
export function keptPlace(): number | undefined {
  return places.get(entry);
}

/**
 * Starts to remember. On an entry whose place the browser must not restore (it was made by a swap), the place is
 * restored here, and once more when the images are there, unless the reader has moved since.
 */
export function startScrollMemory(): void {
  load();
  adoptEntry();
  const top = history.scrollRestoration === 'manual' ? keptPlace() : undefined;
  if (top !== undefined) {
    scrollTo({ top, behavior: 'instant' });
    const reached = scrollY;
    addEventListener('load', () => scrollY === reached && scrollTo({ top, behavior: 'instant' }), { once: true });
  }
  addEventListener('pagehide', () => {
    keepPlace();
    writeStored('session', KEY, JSON.stringify([...places].slice(-MAX_ENTRIES)));
  });
}
