import { deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Of the values of the filter byte (PNG, chapter 9), the one that stores the difference to the pixel above. */
const UP = 2;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  out.set(data, 8);
  out.writeUInt32BE(crc(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}

/**
 * Writes opaque pixels as a PNG (ISO/IEC 15948).
 * @param pixels four bytes each: red, green, blue and one that is not looked at
 */
export function encodePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const rowBytes = width * 3 + 1;
  const raw = Buffer.alloc(rowBytes * height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    raw[at++] = UP;
    let from = y * width * 4;
    const above = y === 0 ? -1 : from - width * 4;
    for (let x = 0; x < width; x++, from += 4) {
      for (let channel = 0; channel < 3; channel++) {
        const upper = above < 0 ? 0 : (pixels[above + x * 4 + channel] as number);
        raw[at++] = (pixels[from + channel] as number) - upper;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 6 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
