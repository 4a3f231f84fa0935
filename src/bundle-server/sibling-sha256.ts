import { besideOf, readSmallText } from './small-text.ts';

/**
 * What a file beside the archive says of its SHA-256: `bundle.tar.gz.sha256`, as `sha256sum` writes it.
 * @returns undefined where there is no such file, or none can be asked for
 */
export async function siblingSha256(location: string, signal: AbortSignal): Promise<string | undefined> {
  const beside = besideOf(location, '.sha256');
  const text = beside === undefined ? undefined : await readSmallText(beside, signal).catch(() => undefined);
  return /^([0-9a-f]{64})(?:\s|$)/i.exec(text ?? '')?.[1]?.toLowerCase();
}
