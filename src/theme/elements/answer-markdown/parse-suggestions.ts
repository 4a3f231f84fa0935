import type { Suggestion } from './tree.ts';

const MOST = 4;
const LINE = /^\s*(?:[-*]\s+)?\((.{1,200})\)\[([^\]\s]{1,500})\]\s*$/;
/** Models sometimes swap the two parts. */
const LINK = /^\s*(?:[-*]\s+)?\[(.{1,200})\]\(([^)\s]{1,500})\)\s*$/;

/** Returns the pages of a `suggestions` block: lines of the form `(Title)[/path]`. Ignores other lines. */
export function parseSuggestions(text: string): Suggestion[] {
  return text
    .split('\n')
    .map((line) => LINE.exec(line) ?? LINK.exec(line))
    .filter((found) => found !== null)
    .slice(0, MOST)
    .map(([, title = '', address = '']) => ({ title: title.replaceAll('\\', ''), address }));
}
