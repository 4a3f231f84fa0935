import { besideOf, readSmallText } from './small-text.ts';

/**
 * Reads the SHA-256 of an archive from the file beside it: `bundle.tar.gz.sha256`, in `sha256sum` format.
 * @returns undefined if there is no such file, or its URL is unknown
 */
export async function siblingSha256(location: string, signal: AbortSignal): Promise<string | undefined> {
  const beside = besideOf(location, '.sha256');
  const text = beside === undefined ? undefined : await readSmallText(beside, signal).catch(() => undefined);
  return /^([0-9a-f]{64})(?:\s|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
}
