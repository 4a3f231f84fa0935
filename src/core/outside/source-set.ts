/** An address, or the mark of a link, and what stands before the next comma. */
const CANDIDATE = /[\s,]*(\u0001[^\u0001]*\u0001|[^\s,]\S*)(\s+[^,\s][^,]*)?/y;
const SIZE = /^\s+\d{1,9}(?:\.\d{1,9})?[wxh](?=\s|$)/;

/**
 * Gives the addresses of a `srcset` new values; sizes stay. Commas may be part of an address (HTML §4.8.4.2.1).
 * @param change the address as it is to be; undefined for one that is left out
 */
export function mapSourceSet(value: string, change: (address: string) => string | undefined): string {
  const candidates: string[] = [];
  CANDIDATE.lastIndex = 0;
  for (let found = CANDIDATE.exec(value); found; found = CANDIDATE.exec(value)) {
    const [, written = '', size = ''] = found;
    const address = written.replace(/(?<!,),+$/, '');
    // A comma at its end says that no size follows.
    if (address !== written) CANDIDATE.lastIndex -= size.length;
    const changed = change(address);
    const kept = address === written ? SIZE.exec(size)?.[0].trim() : undefined;
    if (changed !== undefined) candidates.push(kept === undefined ? changed : `${changed} ${kept}`);
  }
  return candidates.join(', ');
}
