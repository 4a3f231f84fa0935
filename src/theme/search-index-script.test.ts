import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { SearchIndexPayload } from './search-index-payload.ts';
import { searchIndexScript } from './search-index-script.ts';

function roundTrip(bytes: Uint8Array): Uint8Array {
  const world: { __docentSearchIndex?: SearchIndexPayload } = {};
  runInNewContext(searchIndexScript(bytes), world);
  const payload = world.__docentSearchIndex as Exclude<SearchIndexPayload, { parts: unknown }>;
  return 'text' in payload ? new TextEncoder().encode(payload.text) : new Uint8Array(Buffer.from(payload.base64, 'base64'));
}

describe('searchIndexScript', () => {
  it('carries text with every awkward character unharmed', () => {
    const bytes = new TextEncoder().encode('\ufeff{"a":"</script><!--\u2028\u2029\\ \u0000 é 日本"}');
    expect(roundTrip(bytes)).toEqual(bytes);
  });

  it('carries bytes that are no text unharmed', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(roundTrip(bytes)).toEqual(bytes);
  });

  it('cannot end the script element that it is put into', () => {
    expect(searchIndexScript(new TextEncoder().encode('</script>'))).not.toContain('</');
  });
});
