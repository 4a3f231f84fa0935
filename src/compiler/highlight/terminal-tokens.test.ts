import { expect, test } from 'vitest';
import { fakePage } from '../../../test/support/fake-page.ts';
import { renderCodeBlock } from '../../core/content/code/code-block.ts';
import { terminalKind } from '../../core/content/code/code-line.ts';
import { createShikiHighlighter } from './shiki-highlighter.ts';
import { terminalLines } from './terminal-tokens.ts';

const ESC = '\u001b';

test('terminal colors become tokens, also across lines, until they are reset', () => {
  expect(terminalLines(`a${ESC}[31mred\nstill${ESC}[0m b`)).toEqual([
    [
      { text: 'a', kind: 0 },
      { text: 'red', kind: terminalKind(2, 0) },
    ],
    [
      { text: 'still', kind: terminalKind(2, 0) },
      { text: ' b', kind: 0 },
    ],
  ]);
});

test('bright, bold, palette and true colors are mapped to kinds', () => {
  const kindOf = (codes: string) => terminalLines(`${ESC}[${codes}mx`)[0]?.[0]?.kind;
  expect(kindOf('92')).toBe(terminalKind(11, 0));
  expect(kindOf('1;34')).toBe(terminalKind(5, 1));
  expect(kindOf('38;5;1')).toBe(terminalKind(2, 0));
  expect(kindOf('38;5;46')).toBe(terminalKind(11, 0));
  expect(kindOf('38;2;250;20;20')).toBe(terminalKind(10, 0));
  expect(kindOf('48;2;250;20;20;32')).toBe(terminalKind(3, 0));
  expect(kindOf('99999;-1;;')).toBe(0);
});

test('other escape codes are removed, and no text is lost', () => {
  const text = terminalLines(`${ESC}[2J${ESC}[?25l${ESC}]8;;https://a.example${ESC}\\link${ESC}]8;;\u0007 ${ESC}[1Kend${ESC}M`);
  expect(
    text
      .flat()
      .map((token) => token.text)
      .join(''),
  ).toBe('link end');
});

test('a block of terminal output has the classes of the stylesheet', () => {
  const block = { language: 'ansi', meta: '', code: `${ESC}[1;32m<ok>${ESC}[0m` };
  const markup = renderCodeBlock(block, fakePage(), createShikiHighlighter()).value;
  expect(markup).toContain('<span class="ka3 ka-b">&lt;ok&gt;</span>');
});

test('of unfinished codes, colors are kept as text, and link addresses are removed', () => {
  const colors = `${ESC}[`.repeat(1000);
  expect(terminalLines(`${colors}${`${ESC}]`.repeat(1000)}${'1;'.repeat(1000)}`)).toEqual([[{ text: colors, kind: 0 }]]);
});
