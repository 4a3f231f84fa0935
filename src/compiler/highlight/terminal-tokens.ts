import { terminalKind } from '../../core/content/code/code-line.ts';
import type { HighlightedToken } from '../../core/content/page-renderer.ts';

/** State set by terminal codes: a color (0 is the default), and one of the styles. */
interface Pen {
  color: number;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}

// Every terminal code: colors (ending in m), all others, and link addresses.
const CODE = /\u001b\[([\d;:?<=>]*)([ -/]*[@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g;

/** Splits terminal output into tokens by color. Other codes are removed; the text is readable without them. */
export function terminalLines(code: string): HighlightedToken[][] {
  const lines: HighlightedToken[][] = [[]];
  let pen = usualPen();
  let from = 0;
  const write = (text: string): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind: kindOf(pen) });
    }
  };
  for (const match of code.matchAll(CODE)) {
    write(code.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm') pen = follow(pen, (match[1] ?? '').split(/[;:]/).map(Number));
  }
  write(code.slice(from));
  return lines;
}

function usualPen(): Pen {
  return { color: 0, bold: false, dim: false, underline: false };
}

function kindOf({ color, bold, dim, underline }: Pen): number {
  return terminalKind(color, bold ? 1 : dim ? 2 : underline ? 3 : 0);
}

function follow(before: Pen, codes: readonly number[]): Pen {
  let pen = { ...before };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === 0) pen = usualPen();
    else if (code === 1) pen.bold = true;
    else if (code === 2) pen.dim = true;
    else if (code === 4) pen.underline = true;
    else if (code === 22) pen.bold = pen.dim = false;
    else if (code === 24) pen.underline = false;
    else if (code >= 30 && code <= 37) pen.color = code - 29;
    else if (code >= 90 && code <= 97) pen.color = code - 81;
    else if (code === 39) pen.color = 0;
    else if (code === 38 || code === 48) {
      const color = codes[i + 1] === 5 ? paletteColor(codes[i + 2] ?? 0) : nearestColor(codes.slice(i + 2, i + 5));
      if (code === 38) pen.color = color;
      i += codes[i + 1] === 5 ? 2 : 4;
    }
  }
  return pen;
}

/** One of the 256 colors: sixteen names, a cube of 6 × 6 × 6, then grays. */
function paletteColor(index: number): number {
  if (index < 16) return index + 1;
  if (index >= 232) return index < 244 ? 9 : 8;
  const cube = index - 16;
  return nearestColor([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51));
}

/** Colors follow the appearance of the page, so every color is reduced to its nearest name. */
function nearestColor([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const strongest = Math.max(red, green, blue);
  if (strongest < 40) return 1;
  const bit = (part: number): number => (part > strongest * 0.6 ? 1 : 0);
  const name = 1 + bit(red) + 2 * bit(green) + 4 * bit(blue);
  return strongest > 200 ? name + 8 : name;
}
