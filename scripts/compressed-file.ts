import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Browsers of the last two years or so: cascade layers, `color-mix`, popovers, `:has`. */
export const TARGETS = ['chrome117', 'safari17', 'firefox125'];

/** Above this size, the last percent of compression costs more time than it is worth. */
const LARGE_BYTES = 1_000_000;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Returns the SHA-256 of a file's bytes, in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the name of a file with its content hash: `site.css` → `site-1a2b3c4d5e.css`. */
export function hashedName(logicalName: string, bytes: Uint8Array): string {
  const dot = logicalName.lastIndexOf('.');
  return `${logicalName.slice(0, dot)}-${sha256Of(bytes).slice(0, 10)}${logicalName.slice(dot)}`;
}

/** Writes a file and its compressed copies (`.br`, `.gz`). */
export async function writeCompressed(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  const isLarge = bytes.length > LARGE_BYTES;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isLarge ? 6 : 11,
    [constants.BROTLI_PARAM_LGWIN]: isLarge ? 24 : 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [brotli, zipped] = await Promise.all([
    compressBrotli(bytes, { params }),
    compressGzip(bytes, { level: isLarge ? 6 : 9 }),
  ]);
  const path = join(folder, file);
  await Promise.all([writeFile(path, bytes), writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
