import { expect, test } from 'vitest';
import { type DiffRow, diffTexts } from './text-diff.ts';

/** `+a [b]` for an added line of which `b` changed. */
function written(rows: readonly DiffRow[]): string[] {
  const sign = { same: ' ', added: '+', removed: '-' };
  return rows.map((row) =>
    row.kind === 'gap'
      ? `… ${row.lines}`
      : sign[row.kind] +
        row.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(''),
  );
}

test('a difference shows changed lines with their changed words and three lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const after = [...lines];
  after[10] = 'line ten, and more';
  const { rows, added, removed } = diffTexts(lines.join('\n'), after.join('\n'));
  expect(written(rows)).toEqual([
    '… 7',
    ' line 7',
    ' line 8',
    ' line 9',
    '-line [10]',
    '+line [ten, and more]',
    ' line 11',
    ' line 12',
    ' line 13',
    '… 6',
  ]);
  expect([added, removed]).toEqual([1, 1]);
});

test('lines with little in common, added, removed and empty texts are shown whole', () => {
  expect(written(diffTexts('Install it with npm.', 'A completely other thing').rows)).toEqual([
    '-Install it with npm.',
    '+A completely other thing',
  ]);
  expect(written(diffTexts('', 'a\nb\n').rows)).toEqual(['+a', '+b']);
  expect(written(diffTexts('a\nb', '').rows)).toEqual(['-a', '-b']);
  expect(diffTexts('a\nb', 'a\nb')).toEqual({
    rows: [{ kind: 'gap', lines: 2 }],
    added: 0,
    removed: 0,
    isCut: false,
  });
});

test('the rows of a difference always give both texts again', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    const text = () =>
      Array.from({ length: random(12) }, () => 'abc'[random(3)]?.repeat(1 + random(2)));
    const [before, after] = [text(), text()];
    const { rows } = diffTexts(before.join('\n'), after.join('\n'));
    const side = (kind: 'removed' | 'added') =>
      rows.flatMap((row) =>
        row.kind === 'same' || row.kind === kind
          ? [row.parts.map((part) => part.text).join('')]
          : [],
      );
    const hasGap = rows.some(({ kind }) => kind === 'gap');
    if (!hasGap) expect([side('removed'), side('added')]).toEqual([before, after]);
  }
});

test('texts without anything in common are compared in bounded time and space', () => {
  const text = (word: string) =>
    Array.from({ length: 30_000 }, (_, index) => `${word} ${index}`).join('\n');
  const { rows, isCut, added } = diffTexts(text('a'), text('b'));
  expect([rows.length, isCut, added]).toEqual([2000, true, 30_000]);
});
