import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { isCompressible } from '../compiler/source/media-types.ts';
import { encodeBody, MIN_COMPRESSED_BYTES } from '../http/routes/site/body-cache.ts';
import type { Bundle, ServedFile } from './bundle.ts';
import type { BundleStore } from './bundle-store.ts';

/** Larger files are sent as they are: they would take memory and time, and documentation has hardly any that are text. */
const MAX_COMPRESSED_BYTES = 8 * 1024 * 1024;

/** Whether a file is also served compressed. */
export function isServedCompressed({ type, sizeBytes }: ServedFile): boolean {
  return isCompressible(type) && sizeBytes >= MIN_COMPRESSED_BYTES && sizeBytes <= MAX_COMPRESSED_BYTES;
}

/**
 * Makes the compressed forms of a bundle's files that the store does not have yet, one after the other: until they are there,
 * the server compresses what it is asked for. The bytes are the same.
 */
export async function compressFiles({ files }: Bundle, store: BundleStore, signal: AbortSignal): Promise<void> {
  const wanted = new Set([...files.values()].filter(isServedCompressed).map(({ sha256 }) => sha256));
  for (const sha256 of wanted) {
    for (const [form, encoding] of [
      ['.br', 'br'],
      ['.gz', 'gzip'],
    ] as const) {
      if (signal.aborted) return;
      const path = store.filePath(sha256, form);
      if (await stat(path).catch(() => undefined)) continue;
      const unfinished = store.workFile(`${sha256.slice(0, 16)}${form}`);
      await writeFile(unfinished, await encodeBody(await readFile(store.filePath(sha256)), encoding));
      await rename(unfinished, path);
    }
  }
}
