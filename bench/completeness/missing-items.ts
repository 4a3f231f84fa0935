import type { ShownPage } from './shown-page.ts';
import { bareText, type SourceItem } from './source-items.ts';

/** Returns the items of the source that a page does not show. */
export function missingItems(items: readonly SourceItem[], shown: ShownPage): SourceItem[] {
  const headings = [...shown.headings];
  const codes = shown.codes.map(bareText);
  return items.filter((item) => {
    switch (item.kind) {
      case 'heading':
        return !take(headings, item.pieces);
      case 'code':
        return !take(codes, item.pieces) && !hasEveryLine(item.pieces, shown.text);
      case 'link':
        return !hasLink(item, shown);
      case 'image':
        return !hasImage(item, shown);
      case 'title':
        return !holdsAll(shown.text, item.pieces) && !holdsAll(shown.attributeText, item.pieces);
      case 'list item':
        return !shown.listItems.some((text) => holdsInOrder(text, item.pieces));
      case 'table cell':
        return !shown.cells.some((text) => holdsInOrder(text, item.pieces));
      default:
        return !holdsAll(shown.text, item.pieces);
    }
  });
}

/** Returns whether the pieces appear in the text in order. */
function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const bare = bareText(piece);
    const at = text.indexOf(bare, from);
    if (at < 0) return false;
    from = at + bare.length;
  }
  return true;
}

function holdsAll(text: string, pieces: readonly string[]): boolean {
  return pieces.every((piece) => text.includes(bareText(piece)));
}

/**
 * Returns whether one of the shown texts is this one, and consumes it, so that duplicates must be
 * shown twice.
 */
function take(texts: string[], pieces: readonly string[]): boolean {
  const exact = pieces.length === 1 ? texts.indexOf(bareText(pieces[0] as string)) : -1;
  const at = exact >= 0 ? exact : texts.findIndex((text) => holdsInOrder(text, pieces));
  if (at >= 0) texts.splice(at, 1);
  return at >= 0;
}

/**
 * Code may be shown with notes between its lines (types, differences), so its lines are searched
 * one by one.
 */
function hasEveryLine(pieces: readonly string[], text: string): boolean {
  const lines = pieces.flatMap((piece) => piece.split('\n'));
  return lines.every((line) =>
    text.includes(bareText(line.replace(/(?:\/\/|#|<!--|--|\/\*)?\s*\[!code[^\]]*\].*$/, ''))),
  );
}

const address = (text: string): string =>
  safeDecode(text.trim())
    .replace(/^\u0001[PA](.*)\u0001$/s, '$1')
    .replace(/^mailto:/, '')
    .replace(/\/(?=$|[?#])/, '')
    .toLowerCase();

function safeDecode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

function hasLink(item: SourceItem, shown: ShownPage): boolean {
  const target = address(item.target ?? '');
  if (shown.links.some(({ href }) => address(href) === target)) return true;
  // Relative URLs and redirects are rewritten: then the words must be a link somewhere.
  const words = bareText(item.pieces.join(''));
  return (
    words !== '' &&
    shown.links.some(
      ({ href, text }) =>
        href !== '' && text !== '' && (text.includes(words) || words.includes(text)),
    )
  );
}

function hasImage(item: SourceItem, shown: ShownPage): boolean {
  const name = address((item.target ?? '').replace(/[?#].*$/, '')).replace(/^.*\//, '');
  if (shown.images.some(({ src }) => address(src).includes(name))) return true;
  const alt = bareText(item.pieces.join(''));
  return shown.images.some(
    (image) => image.src.startsWith('data:image/svg') && bareText(image.alt) === alt,
  );
}
