import { nodesIn, type SourceNode, type SourcePoint, type SourceProperty } from './source-node.ts';

/** A noncharacter, which the parser takes for a letter. */
const MARK = '\ufded';
const MARKS = /\ufded|%EF%B7%AD/gi;

const RUN = /\*+|~+/g;
const CJK_LETTER = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;
const CJK_SIGN =
  /[\u3001-\u303f\u30fb\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffee]/;
const SIGN = /[\p{P}\p{S}]/u;

/**
 * Parses Markdown in which `**「強調」**文字` is bold. By the rules of CommonMark, emphasis cannot end
 * between a sign and a letter, nor begin between a letter and a sign, because languages with spaces
 * have one there. Chinese, Japanese and Korean have none, so for them a mark that is a letter goes
 * between the sign and the asterisks, and is removed from the tree.
 * @param parse the parser; errors that it throws refer to the text as it is
 */
export function parseWithCjkEmphasis(
  text: string,
  parse: (text: string) => SourceNode,
): SourceNode {
  const places = text.includes(MARK) ? [] : placesOfMarks(text);
  if (places.length === 0) return parse(text);
  let marked = '';
  let from = 0;
  for (const place of places) {
    marked += text.slice(from, place) + MARK;
    from = place;
  }
  let root: SourceNode;
  try {
    root = parse(marked + text.slice(from));
  } catch {
    return parse(text);
  }
  removeMarks(root, text, places);
  return root;
}

function placesOfMarks(text: string): number[] {
  const places: number[] = [];
  if (!CJK_LETTER.test(text) && !CJK_SIGN.test(text)) return places;
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    const end = start + run.length;
    const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? ' ';
    const after = [...text.slice(end, end + 2)][0] ?? ' ';
    if (
      run.length > (run.startsWith('~') ? 2 : 3) ||
      before === '\\' ||
      /[*~_]/.test(before + after)
    )
      continue;
    if (isBetween(before, after)) places.push(start);
    else if (isBetween(after, before)) places.push(end);
  }
  return places;
}

/**
 * Returns whether one character is a sign, the other a letter, and one of them Chinese, Japanese or
 * Korean.
 */
function isBetween(sign: string, letter: string): boolean {
  if (!SIGN.test(sign) || SIGN.test(letter) || letter.trim() === '') return false;
  return CJK_SIGN.test(sign) || CJK_LETTER.test(letter);
}

function removeMarks(root: SourceNode, text: string, places: readonly number[]): void {
  const clean = <Value extends SourceProperty>(value: Value) =>
    (typeof value === 'string' ? value.replace(MARKS, '') : value) as Value;
  const moved = new Set<SourcePoint>();
  const move = (point: SourcePoint) => {
    if (moved.has(point)) return;
    moved.add(point);
    const count = countBefore(places, (place, index) => place + index < point.offset);
    point.offset -= count;
    const lineStart = text.lastIndexOf('\n', point.offset - 1) + 1;
    // Those of earlier lines do not count.
    point.column -= count - countBefore(places, (place) => place < lineStart);
  };
  for (const node of nodesIn(root)) {
    if (node.value !== undefined) node.value = clean(node.value);
    node.children = node.children?.filter(
      ({ type, value }) => type !== 'text' || clean(value) !== '',
    );
    if (node.data)
      Object.assign(node.data, { lang: clean(node.data.lang), meta: clean(node.data.meta) });
    for (const name in node.properties) node.properties[name] = clean(node.properties[name]);
    for (const attribute of node.attributes ?? []) {
      if (typeof attribute.value === 'string') attribute.value = clean(attribute.value);
      else if (attribute.value) attribute.value.value = clean(attribute.value.value);
    }
    if (node.position) for (const point of [node.position.start, node.position.end]) move(point);
  }
}

/** Returns how many of the places, in order, come before something. */
function countBefore(
  places: readonly number[],
  isBefore: (place: number, index: number) => boolean,
): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(places[middle] as number, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
