import { describe, expect, it } from 'vitest';
import { imageSize } from './image-size.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((char) => char.charCodeAt(0)) : part,
    ),
  );
const padded = (head: Uint8Array, length: number): Uint8Array => {
  const out = new Uint8Array(length);
  out.set(head);
  return out;
};

const PNG = bytes(
  [0x89],
  'PNG\r\n',
  [0x1a, 0x0a, 0, 0, 0, 13],
  'IHDR',
  [0, 0, 2, 0x80, 0, 0, 1, 0xe0],
);
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80, 3]);
const TURNED = bytes(
  [0xff, 0xd8, 0xff, 0xe1, 0, 36],
  'Exif',
  [
    0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
    0, 0,
  ],
  [0xff, 0xc0, 0, 11, 8, 1, 0xe0, 2, 0x80, 3],
);

const box = (type: string, ...content: number[][]): number[] => {
  const body = [...bytes(type), ...content.flat()];
  return [0, 0, 0, body.length + 4, ...body];
};
const SIZE_640_480 = [0, 0, 0, 0, 0, 0, 2, 0x80, 0, 0, 1, 0xe0];
const AVIF = bytes(
  box('ftyp', [...bytes('avif'), 0, 0, 0, 0]),
  box('meta', [0, 0, 0, 0], box('iprp', box('ipco', box('ispe', SIZE_640_480)))),
);

describe('imageSize', () => {
  it.each([
    ['a PNG', PNG, 640, 480],
    ['a progressive JPEG with other segments first', JPEG, 640, 480],
    ['a GIF', bytes('GIF89a', [0x80, 2, 0xe0, 1]), 640, 480],
    [
      'a lossy WebP',
      padded(
        bytes(
          'RIFF',
          [0, 0, 0, 0],
          'WEBPVP8 ',
          [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1],
        ),
        40,
      ),
      640,
      480,
    ],
    [
      'a lossless WebP',
      padded(bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0]), 40),
      640,
      480,
    ],
    [
      'an extended WebP',
      padded(
        bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]),
        40,
      ),
      640,
      480,
    ],
    ['an AVIF', AVIF, 640, 480],
    ['a rotated photograph', TURNED, 480, 640],
    [
      'an SVG',
      bytes(
        '<?xml version="1.0"?>\n<svg xmlns="x" width="640px" height=\'480\' viewBox="0 0 1 1">',
      ),
      640,
      480,
    ],
  ])('reads the dimensions of %s', (_, file, width, height) => {
    expect(imageSize(file)).toEqual({ width, height });
  });

  it('returns nothing for an SVG without dimensions or an unsupported format', () => {
    expect(
      imageSize(bytes('<svg viewBox="0 0 24 24" width="100%" height="100%">')),
    ).toBeUndefined();
    expect(imageSize(bytes('%PDF-1.7 and more'))).toBeUndefined();
  });

  it('never throws on a truncated file and returns nothing for an invalid one', () => {
    for (const file of [PNG, JPEG, TURNED, AVIF]) {
      for (let length = 0; length < file.length; length++)
        expect(() => imageSize(file.subarray(0, length))).not.toThrow();
    }
    expect(
      imageSize(
        bytes(
          [0x89],
          'PNG\r\n',
          [0x1a, 0x0a, 0, 0, 0, 13],
          'IHDR',
          [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1],
        ),
      ),
    ).toBeUndefined();
    expect(imageSize(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0]))).toBeUndefined();
  });
});
