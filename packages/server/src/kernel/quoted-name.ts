/**
 * Quotes a name in a mail. Whoever chose it writes nothing else into the mail; names from before
 * they were checked may be anything.
 */
export function quotedName(name: string): string {
  return `"${name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll('://', ' ')
    .replaceAll('"', '’')}"`;
}
