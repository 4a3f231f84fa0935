/** A part of a line that changed, or did not. */
export interface DiffPart {
  text: string;
  isChanged: boolean;
}

/** A line of a difference, or lines that both texts have and that are left out. */
export type DiffRow =
  | { kind: 'same' | 'added' | 'removed'; parts: DiffPart[] }
  /** How many lines are left out. */
  | { kind: 'gap'; lines: number };

export interface TextDiff {
  rows: DiffRow[];
  /** Numbers of lines. */
  added: number;
  removed: number;
  /** Whether rows at the end were left out. */
  isCut: boolean;
}

/** Lines that are shown before and after a change. */
const CONTEXT = 3;
const MAX_ROWS = 2000;
/** With more edits than that, texts have too little in common for a difference to be read. */
const MAX_LINE_EDITS = 1000;
const MAX_WORD_EDITS = 200;
const MAX_WORD_LINE = 5000;
/** The least part of a line that must stay for it to be the same line with other words. */
const MIN_COMMON = 0.35;

type Edit<Item> = { kind: 'same' | 'added' | 'removed'; item: Item };

/** Compares two texts by lines, and lines that replace one another by words. */
export function diffTexts(before: string, after: string): TextDiff {
  const edits = diffItems(linesOf(before), linesOf(after), MAX_LINE_EDITS);
  const count = (kind: Edit<string>['kind']) => edits.filter((edit) => edit.kind === kind).length;
  const rows = withGaps(withWords(edits));
  return {
    rows: rows.slice(0, MAX_ROWS),
    added: count('added'),
    removed: count('removed'),
    isCut: rows.length > MAX_ROWS,
  };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/**
 * The shortest list of edits (Myers, An O(ND) Difference Algorithm, 1986); everything between the
 * common start and end is replaced if it needs more than `maxEdits`.
 */
function diffItems<Item>(
  before: readonly Item[],
  after: readonly Item[],
  maxEdits: number,
): Edit<Item>[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (items: readonly Item[]) =>
    items.map((item): Edit<Item> => ({ kind: 'same', item }));
  const [from, to] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  return [
    ...same(before.slice(0, start)),
    ...middleEdits(from, to, maxEdits),
    ...same(before.slice(before.length - end)),
  ];
}

function middleEdits<Item>(
  before: readonly Item[],
  after: readonly Item[],
  maxEdits: number,
): Edit<Item>[] {
  const replaced = (): Edit<Item>[] => [
    ...before.map((item): Edit<Item> => ({ kind: 'removed', item })),
    ...after.map((item): Edit<Item> => ({ kind: 'added', item })),
  ];
  if (before.length === 0 || after.length === 0) return replaced();
  const steps: Int32Array[] = [];
  const most = Math.min(before.length + after.length, maxEdits);
  // The furthest position in `before` on each diagonal; diagonal k is at k + most + 1.
  const furthest = new Int32Array(2 * most + 3);
  const at = (k: number) => furthest[k + most + 1] ?? 0;
  for (let edits = 0; edits <= most; edits++) {
    steps.push(furthest.slice(most + 1 - edits - 1, most + 1 + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let x = k === -edits || (k !== edits && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      furthest[k + most + 1] = x;
      if (x >= before.length && x - k >= after.length) return traceBack(before, after, steps);
    }
  }
  return replaced();
}

/** @param steps `furthest` before each number of edits, from the diagonal `-edits - 1` on */
function traceBack<Item>(
  before: readonly Item[],
  after: readonly Item[],
  steps: readonly Int32Array[],
): Edit<Item>[] {
  const edits: Edit<Item>[] = [];
  let [x, y] = [before.length, after.length];
  for (let count = steps.length - 1; count >= 0; count--) {
    const at = (k: number) => steps[count]?.[k + count + 1] ?? 0;
    const k = x - y;
    const isAdded = k === -count || (k !== count && at(k - 1) < at(k + 1));
    const fromX = count === 0 ? 0 : isAdded ? at(k + 1) : at(k - 1) + 1;
    while (x > fromX && y > 0) {
      edits.push({ kind: 'same', item: before[--x] as Item });
      y--;
    }
    if (count === 0) break;
    if (isAdded) edits.push({ kind: 'added', item: after[--y] as Item });
    else edits.push({ kind: 'removed', item: before[--x] as Item });
  }
  return edits.reverse();
}

type Line = { kind: 'same' | 'added' | 'removed'; parts: DiffPart[] };

/** Marks the words in which removed lines and the added lines that follow them differ. */
function withWords(edits: readonly Edit<string>[]): Line[] {
  const lines: Line[] = [];
  for (let index = 0; index < edits.length; ) {
    const run = (kind: Line['kind'], from: number) => {
      let to = from;
      while (edits[to]?.kind === kind) to++;
      return edits.slice(from, to).map(({ item }) => item);
    };
    const removed = run('removed', index);
    const added = run('added', index + removed.length);
    const pairs = removed.map((text, place) => {
      const other = added[place];
      return other === undefined ? undefined : diffWords(text, other);
    });
    const whole = (text: string): DiffPart[] => [{ text, isChanged: false }];
    removed.forEach(
      (text, place) =>
        void lines.push({ kind: 'removed', parts: pairs[place]?.before ?? whole(text) }),
    );
    added.forEach(
      (text, place) =>
        void lines.push({ kind: 'added', parts: pairs[place]?.after ?? whole(text) }),
    );
    index += removed.length + added.length;
    if (removed.length + added.length === 0)
      lines.push({ kind: 'same', parts: whole(edits[index++]?.item ?? '') });
  }
  return lines;
}

/** @returns undefined if the lines have too little in common to be read as one */
function diffWords(
  before: string,
  after: string,
): { before: DiffPart[]; after: DiffPart[] } | undefined {
  if (before.length > MAX_WORD_LINE || after.length > MAX_WORD_LINE) return undefined;
  const words = (text: string) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
  const edits = diffItems(words(before), words(after), MAX_WORD_EDITS);
  const common = edits.reduce(
    (sum, { kind, item }) => sum + (kind === 'same' ? item.trim().length : 0),
    0,
  );
  const least = Math.min(before.replace(/\s/g, '').length, after.replace(/\s/g, '').length);
  if (least === 0 || common / Math.max(least, 1) < MIN_COMMON) return undefined;
  const side = (kind: 'removed' | 'added') =>
    joined(
      edits
        .filter((edit) => edit.kind === 'same' || edit.kind === kind)
        .map((edit) => ({ text: edit.item, isChanged: edit.kind === kind })),
    );
  return { before: side('removed'), after: side('added') };
}

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.isChanged === part.isChanged) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}

/** Leaves out lines that are far from any change. */
function withGaps(lines: readonly Line[]): DiffRow[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(1, Math.max(index - CONTEXT, 0), index + CONTEXT + 1);
  });
  const rows: DiffRow[] = [];
  for (const [index, line] of lines.entries()) {
    const last = rows.at(-1);
    if (isNear[index]) rows.push(line);
    else if (last?.kind === 'gap') last.lines++;
    else rows.push({ kind: 'gap', lines: 1 });
  }
  return rows;
}
