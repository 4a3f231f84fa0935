import { decodeUtf8 } from '../utf8.ts';

/**
 * Seven bits that may not stand as they are inside the quotes of a script, or that tools on the way might touch. Each is
 * joined with the seven bits after it into one character of two bytes, so nothing is lost by them.
 */
const KEPT_OUT = [0, 8, 9, 10, 11, 12, 13, 26, 27, 34, 92, 127];

/** Bytes as text that takes 8/7 of their number in UTF-8 and may stand between double quotes in a script as it is. */
export function toPrintable(bytes: Uint8Array): string {
  const sevens = toSevens(bytes);
  const utf8 = new Uint8Array(sevens.length + 1);
  let count = 0;
  for (let i = 0; i < sevens.length; i++) {
    const seven = sevens[i] as number;
    const outside = OUTSIDE[seven] as number;
    if (outside === 0) utf8[count++] = seven;
    else {
      const code = outside * 128 + (sevens[++i] ?? 0);
      utf8[count++] = 0xc0 | (code >> 6);
      utf8[count++] = 0x80 | (code & 63);
    }
  }
  return decodeUtf8(utf8.subarray(0, count));
}

/** Of each seven bits their place in `KEPT_OUT`, from 1. */
const OUTSIDE = Uint8Array.from({ length: 128 }, (_, seven) => KEPT_OUT.indexOf(seven) + 1);

function toSevens(bytes: Uint8Array): Uint8Array {
  const sevens = new Uint8Array(Math.ceil((bytes.length * 8) / 7));
  let [held, bits, at] = [0, 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0x7fff;
    for (bits += 8; bits >= 7; bits -= 7) sevens[at++] = (held >> (bits - 7)) & 127;
  }
  if (bits > 0) sevens[at] = (held << (7 - bits)) & 127;
  return sevens;
}

/** The bytes that `toPrintable` was given, and perhaps zeros behind them. */
export function fromPrintable(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  let [held, bits, at] = [0, 0, 0];
  const take = (seven: number) => {
    held = ((held << 7) | seven) & 0x7fff;
    bits += 7;
    if (bits < 8) return;
    bits -= 8;
    bytes[at++] = (held >> bits) & 255;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) take(code);
    else {
      take(KEPT_OUT[(code >> 7) - 1] ?? 0);
      take(code & 127);
    }
  }
  return bytes.subarray(0, at);
}
