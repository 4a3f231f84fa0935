/** Reads from the browser's storage, which may be forbidden: then there is nothing. */
export function readStored(area: 'local' | 'session', key: string): string | null {
  try {
    return (area === 'local' ? localStorage : sessionStorage).getItem(key);
  } catch {
    return null;
  }
}

/** Writes to the browser's storage where that is allowed; `null` removes. */
export function writeStored(area: 'local' | 'session', key: string, value: string | null): void {
  try {
    const storage = area === 'local' ? localStorage : sessionStorage;
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // Storage is forbidden or full; the choice then lasts as long as the page.
  }
}
