const OUTSIDE = /^(?:https?:)?[\\/]{2}[^\\/\s]/i;

/**
 * Returns the absolute URL of an address on another server; undefined for files of the site, data URLs and the like. Reads
 * `//x.test/a` as `https:`.
 */
export function outsideAddress(text: string): string | undefined {
  const address = text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  if (!OUTSIDE.test(address)) return undefined;
  return /^https?:/i.test(address) ? address : `https://${address.slice(2)}`;
}

/** Returns the server of a URL as readers know it. */
export function hostOf(address: string): string {
  return /^https?:[\\/]{2}(?:www\.)?([^\\/?#\s]+)/i.exec(address)?.[1] ?? address;
}
