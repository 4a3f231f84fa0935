import { expect, test } from 'vitest';
import { cpuMs } from '../../../../../test/support/cpu-ms.ts';
import { compileText } from '../../../../../test/support/fake-site.ts';
import { loadFormulaRenderer } from './formula.ts';

const render = await loadFormulaRenderer();

test('a formula renders as HTML for display and as MathML with its source for assistive technology', () => {
  const { html, problem } = render('\\frac{a}{b}', false);
  expect(problem).toBeUndefined();
  expect(html).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML">');
  expect(html).toContain('<annotation encoding="application/x-tex">\\frac{a}{b}</annotation>');
  expect(html).toContain('class="katex-html" aria-hidden="true"');
});

test('only a formula between double dollars is displayed as a block', () => {
  expect(render('x', true).html).toContain('katex-display');
  expect(render('x', false).html).not.toContain('katex-display');
});

test('an invalid formula is shown as its escaped source', () => {
  const { html, problem } = render('\\frac{<img src=x onerror=alert(1)>', false);
  expect(problem).toBeTruthy();
  expect(html).toContain('\\frac{&lt;img');
  expect(html).not.toContain('<img');
});

test('a formula cannot create links, requests, styles, or markup', () => {
  const hostile = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{javascript:alert(1)}',
    '\\includegraphics[height=1em]{https://evil.example/x.png}',
    '\\htmlClass{a"><script>alert(1)</script>}{x}',
    '\\htmlStyle{background:url(https://evil.example)}{x}',
    '\\htmlId{x" onload="alert(1)}{x}',
    '\\htmlData{x="><script>=1}{x}',
    '\\text{</annotation></math><script>alert(1)</script>}',
    '\\color{red;background:url(//evil.example)}x',
    '</annotation><script>alert(1)</script>',
  ];
  for (const tex of hostile) {
    const tags = render(tex, false).html.replace(/>[^<]*/g, '>');
    expect(tags, tex).not.toMatch(/<(?!\/?(?:span|code|math|m[a-z]+|semantics|annotation)\b)/);
    expect(tags, tex).not.toMatch(/href|src=|\son\w+=|url\(/i);
  }
});

test('endlessly growing macros are limited in time and output', () => {
  const bombs = [
    '\\def\\a{\\a\\a}\\a',
    '\\def\\a#1{\\a{#1#1}}\\a{xxxxxxxx}',
    '\\newcommand{\\a}[1]{\\b{#1#1#1#1}}\\newcommand{\\b}[1]{\\a{#1#1#1#1}}\\a{x}',
    `\\def\\a{xxxxxxxx}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a`,
    `\\def\\x{#1#1#1#1}\\expandafter\\def\\expandafter\\a\\expandafter#\\expandafter1\\expandafter{\\x}\\a{\\a{\\a{x}}}`,
    '\\let\\d=\\def\\d\\a#1{\\a{#1#1}}\\a{x}',
    `\\rule{1e9em}{1e9em}${'\\sqrt{'.repeat(500)}`,
    '{'.repeat(8_000),
    'x^'.repeat(4_000),
    '\\left('.repeat(1_000),
  ];
  for (const tex of bombs) {
    const startedAt = cpuMs();
    const { html } = render(tex, true);
    expect(cpuMs() - startedAt, tex.slice(0, 40)).toBeLessThan(2_000);
    expect(html.length, tex.slice(0, 40)).toBeLessThan(2_000_000);
  }
});

test('an oversized formula is limited', () => {
  expect(render('\\rule{99999em}{1em}', false).html).not.toMatch(/\d{4}em;/);
});

test('macros apply to their own formula and not to the next', () => {
  expect(render('\\newcommand{\\RR}{\\mathbb{R}} \\RR^n', false).problem).toBeUndefined();
  expect(render('\\def\\vv#1{\\mathbf{#1}} \\vv{a}+\\vv{b}', false).problem).toBeUndefined();
  expect(render('\\vv{a}', false).problem).toBeTruthy();
});

test('only a page with a formula requests the formula style sheet, and prices are not formulas', async () => {
  const page = await compileText('Energy $E=mc^2$.\n\n$$\nx < y\n$$\n');
  expect(page.content.elements).toContain('katex');
  expect(page.content.markdown).toContain('$E=mc^2$');
  const prices = await compileText('From $5 to $10, $20/month or US$5 and $7.\n');
  expect(prices.content.elements).toEqual([]);
  expect(prices.content.html).toContain('From $5 to $10, $20/month or US$5 and $7.');
});

test('a site that turns formulas off renders them as text', async () => {
  const page = await compileText('Energy $E=mc^2$.\n', { latex: false });
  expect(page.content.html).toContain('$E=mc^2$');
});

test('an invalid formula is reported with its line, and the rest of the page is kept', async () => {
  const page = await compileText('Before.\n\nIt is $\\frac{$ here.\n\nAfter.\n');
  expect(page.content.html).toContain('d-formula-fault');
  expect(page.content.html).toContain('<p>After.</p>');
  expect(page.failed).toBe(false);
  expect(page.diagnostics).toMatchObject([{ severity: 'warning', code: 'bad-formula', line: 3 }]);
});

test('a dollar in inline code is code, regardless of the text before it', async () => {
  const page = await compileText('From $10, as text; write `\\$` where `$HOME` is meant.\n');
  expect(page.content.html).toContain('<code>\\$</code> where <code>$HOME</code>');
  expect(page.diagnostics).toEqual([]);
});

test('prose between two prices is not a formula, regardless of its length', async () => {
  const page = await compileText(`Pay $5/month for teams, or 10$ once. ${'ab '.repeat(3_000)}$\n`);
  expect(page.content.elements).toEqual([]);
});
