import { make } from '../dom.ts';

/**
 * Puts a text of an element into `<mark>`, also if it is spread over links and emphasis. White
 * space counts as one space. Does nothing if the text is empty or not there.
 */
export function markText(element: Element, text: string): void {
  const target = text.replaceAll(/\s+/g, ' ').trim();
  const nodes = textNodes(element);
  // The position in the text without repeated white space → where it is in the document.
  const places: { node: Text; at: number }[] = [];
  let read = '';
  for (const node of nodes) {
    for (let at = 0; at < node.data.length; at++) {
      const character = /\s/.test(node.data[at] as string) ? ' ' : (node.data[at] as string);
      if (character === ' ' && (read === '' || read.endsWith(' '))) continue;
      read += character;
      places.push({ node, at });
    }
  }
  const from = target === '' ? -1 : read.indexOf(target);
  if (from < 0) return;
  const inside = places.slice(from, from + target.length);
  for (const [node, parts] of Map.groupBy(inside, (place) => place.node)) {
    const start = node.splitText((parts[0] as { at: number }).at);
    start.splitText((parts.at(-1) as { at: number }).at - (parts[0] as { at: number }).at + 1);
    const mark = make('mark');
    start.replaceWith(mark);
    mark.append(start);
  }
}

function textNodes(node: Node): Text[] {
  return [...node.childNodes].flatMap((child) =>
    child instanceof Text ? [child] : textNodes(child),
  );
}
