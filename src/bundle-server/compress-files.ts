import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { encodeBody, isServedCompressed } from '../http/routes/site/body-cache.ts';
import type { Bundle } from './bundle.ts';
import type { BundleStore } from './bundle-store.ts';

/**
 * Creates the missing compressed forms of a bundle's files, one after another. Until they exist, the server compresses on
 * request. The bytes are the same.
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
