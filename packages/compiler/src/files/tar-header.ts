const BLOCK_BYTES = 512;
const MAX_NAME_LENGTH = 100;
const MAX_SIZE = 8 ** 11;
const CHECKSUM_AT = 148;
const FIELDS: readonly [at: number, text: string][] = [
  [100, '000644 '],
  [108, '000000 '],
  [116, '000000 '],
  [156, '0'],
  [257, 'ustar\0' + '00'],
  [329, '000000 '],
  [337, '000000 '],
];
const SPACES = 8 * 32;

/**
 * Returns the header of a file in an archive as `tar-stream` writes it, without a stream for each of
 * thousands of files; undefined for a file that needs more than one block.
 */
export function tarHeader(name: string, sizeBytes: number, time: Date): Uint8Array | undefined {
  // Another script takes more bytes than characters.
  if (Buffer.byteLength(name) > MAX_NAME_LENGTH || Buffer.byteLength(name) !== name.length)
    return undefined;
  if (sizeBytes >= MAX_SIZE) return undefined;
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, 0, 'latin1');
  for (const [at, text] of FIELDS) block.write(text, at, 'latin1');
  block.write(octal(sizeBytes, 11), 124, 'latin1');
  block.write(octal(Math.trunc(time.getTime() / 1000), 11), 136, 'latin1');
  let sum = SPACES;
  for (const byte of block) sum += byte;
  block.write(octal(sum, 6), CHECKSUM_AT, 'latin1');
  return block;
}

function octal(number: number, digits: number): string {
  return `${number.toString(8).padStart(digits, '0')} `;
}
