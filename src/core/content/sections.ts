import { joinPieces, type Piece } from './markdown/markdown-piece.ts';
import { squeeze } from './markdown/node-prose.ts';
import type { ContentSection } from './page-content.ts';

/** Deepest heading level that starts a section. */
const MAX_LEVEL = 4;

/**
 * Splits a page at its headings.
 * @param anchorOf returns the id of a heading on the page; undefined if it has none
 */
export function splitSections(pieces: readonly Piece[], anchorOf: (heading: Piece) => string | undefined): ContentSection[] {
  const sections: ContentSection[] = [];
  let trail: { level: number; text: string }[] = [];
  let anchor = '';
  let held: Piece[] = [];
  const close = (): void => {
    const section = makeSection(
      anchor,
      trail.map(({ text }) => text),
      held,
    );
    if (section) sections.push(section);
    held = [];
  };
  for (const piece of pieces) {
    const isSplit = piece.kind === 'heading' && piece.level <= MAX_LEVEL;
    const id = isSplit ? anchorOf(piece) : undefined;
    if (id === undefined) {
      held.push(piece);
      continue;
    }
    close();
    anchor = id;
    trail = [...trail.filter(({ level }) => level < piece.level), { level: piece.level, text: squeeze(piece.text) }];
  }
  close();
  return sections;
}

function makeSection(anchor: string, headings: string[], pieces: readonly Piece[]): ContentSection | undefined {
  if (pieces.length === 0 && headings.length === 0) return undefined;
  return {
    anchor,
    headings,
    markdown: joinPieces(pieces),
    text: squeeze(pieces.map((piece) => piece.text).join(' ')),
    code: pieces.flatMap((piece) => piece.code).join('\n'),
  };
}
