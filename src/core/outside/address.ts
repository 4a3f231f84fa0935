const OUTSIDE = /^(?:https?:)?[\\/]{2}[^\\/\s]/i;

/**
 * The whole address where it is one of another server; undefined for files of the site, data addresses and the like.
 * `//x.test/a` is read as `https:`.
 */
export function outsideAddress(text: string): string | undefined {
  const address = text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  if (!OUTSIDE.test(address)) return undefined;
  return /^https?:/i.test(address) ? address : `https://${address.slice(2)}`;
}

/** The server of an address, as readers know it. */
export function hostOf(address: string): string {
  return /^https?:[\\/]{2}(?:www\.)?([^\\/?#\s]+)/i.exec(address)?.[1] ?? address;
}
