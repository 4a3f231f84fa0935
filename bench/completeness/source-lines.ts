import type { SourceItem } from './source-item.ts';

const FENCE = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})(.*)$/;

/**
 * Finds headings and code fences line by line, without parsing MDX: it finds what a tree may have lost.
 * @param isHidden returns whether a line is in a place that shows nothing (comments, code of components)
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

/** Returns the plain words of a heading: no tags, no expressions, no URLs. */
function headingPieces(source: string): string[] {
  return source
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '\u0000')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|\{[^}]*\}|&\w+;|\$[^$]*\$/g, '\u0000')
    .split('\u0000')
    .filter((piece) => piece.trim() !== '');
}
