/** A file for an archive. */
export interface TarFile {
  path: string;
  content: Blob;
}

const BLOCK = 512;
const text = new TextEncoder();

/**
 * Creates a gzip-compressed archive (ustar; names that do not fit get a pax header before the file,
 * POSIX.1-2001).
 */
export function packTarGz(files: readonly TarFile[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  for (const { path, content } of files) {
    const name = text.encode(path);
    if (name.length > 100) {
      const record = paxRecord('path', path);
      parts.push(header(text.encode('pax'), record.length, 'x'), record, padding(record.length));
    }
    parts.push(header(name.slice(0, 100), content.size, '0'), content, padding(content.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const packed = new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(packed).blob();
}

function header(name: Uint8Array, size: number, type: '0' | 'x'): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (value: string, at: number) => block.set(text.encode(value), at);
  block.set(name, 0);
  put('0000644\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  put('        ', 148);
  put(type, 156);
  put('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Formats `27 path=guides/…\n`; the length includes itself. */
function paxRecord(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = text.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return text.encode(`${length} ${key}=${value}\n`);
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}
