/** An address or a link mark, and the text up to the next comma. */
const CANDIDATE = /[\s,]*(\u0001[^\u0001]*\u0001|[^\s,]\S*)(\s+[^,\s][^,]*)?/y;
const SIZE = /^\s+\d{1,9}(?:\.\d{1,9})?[wxh](?=\s|$)/;

/**
 * Rewrites the addresses of a `srcset`; sizes stay. Commas may be part of an address (HTML §4.8.4.2.1).
 * @param change returns the new address; undefined to remove it
 */
export function mapSourceSet(value: string, change: (address: string) => string | undefined): string {
  const candidates: string[] = [];
  CANDIDATE.lastIndex = 0;
  for (let found = CANDIDATE.exec(value); found; found = CANDIDATE.exec(value)) {
    const [, written = '', size = ''] = found;
    const address = written.replace(/(?<!,),+$/, '');
    // A trailing comma means that no size follows.
    if (address !== written) CANDIDATE.lastIndex -= size.length;
    const changed = change(address);
    const kept = address === written ? SIZE.exec(size)?.[0].trim() : undefined;
    if (changed !== undefined) candidates.push(kept === undefined ? changed : `${changed} ${kept}`);
  }
  return candidates.join(', ');
}
