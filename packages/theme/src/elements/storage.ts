/**
 * Returns a random id of that many bytes, in hexadecimal. `randomUUID` needs a secure origin, and
 * some sites use http.
 */
export function randomId(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Reads from the browser's storage; returns nothing if it is unavailable. */
export function readStored(area: 'local' | 'session', key: string): string | null {
  try {
    return (area === 'local' ? localStorage : sessionStorage).getItem(key);
  } catch {
    return null;
  }
}

/**
 * Reads JSON from the browser's storage; null if there is none, or something else wrote under this
 * key.
 */
export function readStoredJson(area: 'local' | 'session', key: string): unknown {
  try {
    return JSON.parse(readStored(area, key) ?? 'null');
  } catch {
    return null;
  }
}

/** Writes to the browser's storage if possible; `null` removes. */
export function writeStored(area: 'local' | 'session', key: string, value: string | null): void {
  try {
    const storage = area === 'local' ? localStorage : sessionStorage;
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  } catch {
    // Storage is unavailable or full; the choice then lasts until the page is closed.
  }
}
