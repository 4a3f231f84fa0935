import { readFile } from 'node:fs/promises';
import { requestArchive } from './request-archive.ts';

const LONGEST_ANSWER = 4096;
const ANSWER_MS = 10_000;

/**
 * What a file beside the archive says of its SHA-256: `bundle.tar.gz.sha256`, as `sha256sum` writes it. A link with a query is
 * signed for one file, so beside it nothing can be asked for.
 * @returns undefined where there is no such file
 */
export async function siblingSha256(location: string, signal: AbortSignal): Promise<string | undefined> {
  const address = URL.parse(location);
  const isLink = address !== null && /^https?:$/.test(address.protocol);
  if (isLink && address.search !== '') return undefined;
  const text = isLink
    ? await fetchText(new URL(`${address.href}.sha256`), signal)
    : await readFile(`${location}.sha256`, 'utf8').catch(() => '');
  return /^([0-9a-f]{64})(?:\s|$)/i.exec(text)?.[1]?.toLowerCase();
}

async function fetchText(address: URL, signal: AbortSignal): Promise<string> {
  const found = await requestArchive(address, {}, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])).catch(
    () => undefined,
  );
  if (!found) return '';
  try {
    let text = '';
    if (found.status !== 200) return '';
    for await (const chunk of found.response as AsyncIterable<Buffer>) {
      text += chunk.toString('latin1');
      if (text.length > LONGEST_ANSWER) return '';
    }
    return text;
  } catch {
    return '';
  } finally {
    found.response.destroy();
  }
}
