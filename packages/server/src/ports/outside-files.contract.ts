import { describe, expect, it } from 'vitest';
import type { OutsideFiles } from './outside-files.ts';

/** The remote files of the suite, by path. */
export const outsideFixtures = {
  '/small.txt': 'small',
  '/large.txt': 'x'.repeat(100_000),
} as const;

/**
 * What every adapter that fetches outside files guarantees.
 * @param open the adapter under test, with the address at which it finds `outsideFixtures`;
 *   `/moved` redirects to
 *   `/small.txt`, `/loop` to itself, `/inside` to a private address that is not allowed, `/missing` is 404, `/stalled` never ends
 */
export function outsideFilesContract(
  name: string,
  open: () => { files: OutsideFiles; base: string },
): void {
  const limits = { maxBytes: 50_000, timeoutMs: 5_000 };
  describe(`outside files contract: ${name}`, () => {
    it('returns the bytes, the type without parameters, and the address after redirects', async () => {
      const { files, base } = open();
      const file = await files.fetch(`${base}/moved`, limits);
      expect(new TextDecoder().decode(file.bytes)).toBe('small');
      expect(file).toMatchObject({ type: 'text/plain', url: `${base}/small.txt` });
    });

    it.each([
      ['/large.txt', 'too-large'],
      ['/missing', 'status'],
      ['/loop', 'status'],
      ['/inside', 'refused'],
    ])('fails for %s with the fault %s', async (path, kind) => {
      const { files, base } = open();
      await expect(files.fetch(`${base}${path}`, limits)).rejects.toMatchObject({
        name: 'OutsideFault',
        kind,
      });
    });

    it('fails if a server does not finish in time', async () => {
      const { files, base } = open();
      await expect(
        files.fetch(`${base}/stalled`, { ...limits, timeoutMs: 200 }),
      ).rejects.toMatchObject({ kind: 'unreachable' });
    });

    it.each([
      'file:///etc/passwd',
      'ftp://example.org/x',
      'not an address',
      'https://user:secret@example.org/',
    ])('refuses %s without connecting', async (address) => {
      await expect(open().files.fetch(address, limits)).rejects.toMatchObject({ kind: 'refused' });
    });

    it('rejects with the reason of the signal when the caller aborts', async () => {
      const { files, base } = open();
      const reason = new Error('not wanted any more');
      await expect(
        files.fetch(`${base}/small.txt`, { ...limits, signal: AbortSignal.abort(reason) }),
      ).rejects.toBe(reason);
    });
  });
}
