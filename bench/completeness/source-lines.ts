import type { SourceItem } from './source-item.ts';

const FENCE = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})(.*)$/;

/**
 * Headings and code fences found line by line, with no idea of MDX: it sees what a tree may have swallowed.
 * @param isHidden whether a line stands where nothing is shown (comments, code of components)
 */
export function scanLines(text: string, file: string, offset: number, isHidden: (line: number) => boolean): SourceItem[] {
  const items: SourceItem[] = [];
  const lines = text.split('\n');
  let fence = '';
  let start = 0;
  let code: string[] = [];
  lines.forEach((line, index) => {
    const number = index + 1;
    const [, , mark, rest = ''] = FENCE.exec(line) ?? [];
    if (fence !== '') {
      if (mark?.startsWith(fence) && rest.trim() === '') {
        if (!isHidden(start)) items.push({ kind: 'code', pieces: [code.join('\n')], file, line: start + offset });
        fence = '';
      } else code.push(line);
      return;
    }
    if (mark !== undefined && !(mark.startsWith('`') && rest.includes('`'))) {
      [fence, start, code] = [mark, number, []];
      return;
    }
    const heading = /^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$/.exec(line)?.[1];
    if (heading && !isHidden(number))
      items.push({ kind: 'heading', pieces: headingPieces(heading), file, line: number + offset });
  });
  return items;
}

/** The words of a heading that stand for themselves: no tags, no expressions, no addresses. */
function headingPieces(source: string): string[] {
  return source
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '\u0000')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|\{[^}]*\}|&\w+;|\$[^$]*\$/g, '\u0000')
    .split('\u0000')
    .filter((piece) => piece.trim() !== '');
}
