/** Headers and bodies are padded to a multiple of this. */
const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** End of an archive. */
export const TAR_END: Uint8Array = Buffer.alloc(2 * BLOCK_BYTES);

/**
 * Returns the header of a file in a tar archive (POSIX.1-2001, `ustar` and `pax`). Owner, time and mode are always the same.
 * @param path with `/`; any length, any characters
 */
export function tarHeader(path: string, sizeBytes: number): Uint8Array {
  const place = ustarPlace(path);
  if (place) return block(place, sizeBytes, '0');
  const record = Buffer.from(paxRecord('path', path));
  const header = block({ name: 'PaxHeader', prefix: '' }, record.byteLength, 'x');
  return Buffer.concat([header, record, tarFilling(record.byteLength), block({ name: 'PaxHeader', prefix: '' }, sizeBytes, '0')]);
}

/** Returns the zero padding after a body of this size. */
export function tarFilling(sizeBytes: number): Uint8Array {
  return TAR_END.subarray(0, (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
}

interface UstarPlace {
  name: string;
  prefix: string;
}

/** Splits a path into the two header fields for it; undefined if it does not fit or is not ASCII. */
function ustarPlace(path: string): UstarPlace | undefined {
  if (/[^\x20-\x7e]/.test(path)) return undefined;
  if (path.length <= NAME_BYTES) return { name: path, prefix: '' };
  const slash = path.indexOf('/', path.length - NAME_BYTES - 1);
  if (slash < 1 || slash > PREFIX_BYTES) return undefined;
  return { name: path.slice(slash + 1), prefix: path.slice(0, slash) };
}

function block({ name, prefix }: UstarPlace, sizeBytes: number, type: '0' | 'x'): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 'latin1');
  const modeAndOwner = octal(0o644, 7) + octal(0, 7) + octal(0, 7);
  const sum = ' '.repeat(8);
  header.write(modeAndOwner + octal(sizeBytes, 11) + octal(0, 11) + sum + type, 100, 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  header.write(octal(0, 7) + octal(0, 7), 329, 'latin1');
  header.write(prefix, 345, 'latin1');
  // The sum is computed with spaces in its own place.
  header.write(`${octal(sumOf(header), 6)} `, 148, 'latin1');
  return header;
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`;
}

function sumOf(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < header.byteLength; i++) sum += header[i] as number;
  return sum;
}

/** Formats `27 path=…`, where the number is the length of the whole line including itself. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const restBytes = Buffer.byteLength(rest);
  let digits = 1;
  while (String(restBytes + digits).length > digits) digits++;
  return restBytes + digits + rest;
}
