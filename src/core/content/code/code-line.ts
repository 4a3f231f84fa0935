import { escapeHtml } from '../../html.ts';
import type { HighlightedToken } from '../page-renderer.ts';

/** A part of a line with its own element. */
export interface LineRange {
  start: number;
  end: number;
  /** The opening tag, already escaped. */
  open: string;
  close: string;
}

/** From this kind on, a token's kind is a terminal color and weight: 17 colors, plain, bold and dim. */
const FIRST_TERMINAL_KIND = 20;
const TERMINAL_COLORS = 17;
const TERMINAL_STYLES = ['', 'b', 'd', 'u'] as const;

/** Returns the kind of a token in a terminal color: 0 is the default, 1–8 the normal colors, 9–16 the bright ones. */
export function terminalKind(color: number, style: number): number {
  const kind = color + style * TERMINAL_COLORS;
  return kind === 0 ? 0 : FIRST_TERMINAL_KIND + kind;
}

function classOf(kind: number): string {
  if (kind < FIRST_TERMINAL_KIND) return `k${kind}`;
  const code = kind - FIRST_TERMINAL_KIND;
  const color = code % TERMINAL_COLORS;
  const style = TERMINAL_STYLES[Math.floor(code / TERMINAL_COLORS)];
  return [color > 0 ? `ka${color}` : '', style ? `ka-${style}` : ''].filter((name) => name !== '').join(' ');
}

function tokenHtml(text: string, kind: number): string {
  return kind === 0 ? escapeHtml(text) : `<span class="${classOf(kind)}">${escapeHtml(text)}</span>`;
}

/** Renders the tokens of one line as HTML. */
export function lineHtml(tokens: readonly HighlightedToken[]): string {
  let out = '';
  for (const { text, kind } of tokens) out += tokenHtml(text, kind);
  return out;
}

/** The same with elements around some parts, which may begin and end within tokens. Of overlapping parts, the first wins. */
export function lineHtmlWithRanges(tokens: readonly HighlightedToken[], ranges: readonly LineRange[]): string {
  const wanted = withoutOverlaps(ranges);
  if (wanted.length === 0) return lineHtml(tokens);
  let out = '';
  let at = 0;
  let index = 0;
  let isOpen = false;
  for (const { text, kind } of tokens) {
    let from = 0;
    while (from < text.length) {
      const range = wanted[index];
      if (range && !isOpen && range.start === at + from) {
        out += range.open;
        isOpen = true;
      }
      const boundary = range ? (isOpen ? range.end : range.start) - at : text.length;
      const to = boundary > from ? Math.min(text.length, boundary) : text.length;
      out += tokenHtml(text.slice(from, to), kind);
      from = to;
      if (range && isOpen && range.end === at + from) {
        out += range.close;
        isOpen = false;
        index++;
      }
    }
    at += text.length;
  }
  return isOpen ? out + (wanted[index]?.close ?? '') : out;
}

function withoutOverlaps(ranges: readonly LineRange[]): LineRange[] {
  const sorted = ranges.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: LineRange[] = [];
  for (const range of sorted) if (range.start >= (kept.at(-1)?.end ?? 0)) kept.push(range);
  return kept;
}
