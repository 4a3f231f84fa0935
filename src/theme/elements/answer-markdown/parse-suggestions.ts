import type { Suggestion } from './tree.ts';

const MOST = 4;
const LINE = /^\s*(?:[-*]\s+)?\((.{1,200})\)\[([^\]\s]{1,500})\]\s*$/;
/** The other way round is what models write when they forget the form. */
const LINK = /^\s*(?:[-*]\s+)?\[(.{1,200})\]\(([^)\s]{1,500})\)\s*$/;

/** The pages of a block `suggestions`: lines of the form `(Title)[/path]`. Other lines are passed over. */
export function parseSuggestions(text: string): Suggestion[] {
  return text
    .split('\n')
    .map((line) => LINE.exec(line) ?? LINK.exec(line))
    .filter((found) => found !== null)
    .slice(0, MOST)
    .map(([, title = '', address = '']) => ({ title: title.replaceAll('\\', ''), address }));
}
