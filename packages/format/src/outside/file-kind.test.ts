import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { fontKind, pictureKind } from './file-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('the type of a file', () => {
  it.each([
    ['\u0089PNG\r\n\u001a\n....', 'png'],
    ['\u00ff\u00d8\u00ff\u00e0', 'jpg'],
    ['GIF89a', 'gif'],
    ['RIFF\u0001\u0002\n\u0004WEBPVP8 ', 'webp'],
    ['\0\0\0\u0020ftypavif', 'avif'],
    ['\0\0\u0001\0\u0001\0', 'ico'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    [
      '\u00ef\u00bb\u00bf<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "a" "b" [ <!ENTITY c "d"> ]>\n<svg>',
      'svg',
    ],
  ])('is determined by its first bytes: %j', (text, extension) => {
    expect(pictureKind(bytes(text))?.extension).toBe(extension);
  });

  it.each([
    '',
    '<!doctype html><svg></svg>',
    '<html><body><svg>',
    '{"error":404}',
    'BM',
    'wOF2',
    '<!-- <svg> -->',
    'RIFF....AVI ',
  ])('is not an image for %j', (text) => {
    expect(pictureKind(bytes(text))).toBeUndefined();
  });

  it('is a font for every format that browsers load', () => {
    const kinds = ['wOF2...', 'wOFF', 'OTTO', '\0\u0001\0\0', '<html'].map(
      (text) => fontKind(bytes(text))?.extension,
    );
    expect(kinds).toEqual(['woff2', 'woff', 'otf', 'ttf', undefined]);
  });

  it('is determined in limited time for any content', () => {
    const start = cpuMs();
    for (const part of ['<!--', '<?', ' ', '<!DOCTYPE svg [', '<!-- -->'])
      pictureKind(bytes(part.repeat(20_000)));
    expect(cpuMs() - start).toBeLessThan(1000);
  });
});
