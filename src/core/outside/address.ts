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

/** Returns the name of the file at an address, which often describes it; undefined if the address names none. */
export function fileNameOf(address: string): string | undefined {
  const name = /(?:^|\/)([^/?#]+\.\w{2,5})(?:[?#]|$)/.exec(address.replace(/^(?:https?:)?\/\/[^/]*/i, ''))?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
