import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { terminalKind } from '@docent/format/content/code/code-lines.ts';
import type { ExplainedCode } from '@docent/format/content/page/page-renderer.ts';
import { contrast, formatColor, mixColors, parseColor } from '@docent/theme/colors/color.ts';
import { expect, test } from 'vitest';
import { fakePage } from '../../../../test/support/fake-page.ts';
import { renderCodeBlock } from '../../../format/src/content/code/code-block.ts';
import { codeThemeDiagnostics, codeThemeVariables, tokenKinds, tokenStyles } from './code-theme.ts';
import { createCodeExplainer, createShikiHighlighter, terminalLines } from './shiki-highlighter.ts';

const highlighter = createShikiHighlighter();

function kindOf(code: string, language: string, part: string): string {
  const token = highlighter
    .highlight(code, language)
    .flat()
    .find(({ text }) => text.includes(part));
  return token === undefined || token.kind === 0
    ? 'plain'
    : (tokenKinds[token.kind - 1]?.name ?? '?');
}

test('a thread that highlights code does not load the HTTP client of Node.js', async () => {
  const highlighterModule = new URL('./shiki-highlighter.ts', import.meta.url);
  const script = `
    const { parentPort } = require('node:worker_threads');
    void (async () => {
      const { createShikiHighlighter } = await import(${JSON.stringify(highlighterModule)});
      const highlighter = createShikiHighlighter();
      await highlighter.load(['js']);
      const [tokens] = highlighter.highlight('let a = 1;', 'js');
      const clients = process.moduleLoadList.filter((name) => name.includes('undici'));
      parentPort.postMessage({ tokenCount: tokens.length, clients });
    })();`;
  const thread = new Worker(script, { eval: true });
  const [answer] = await once(thread, 'message');
  await thread.terminate();
  expect(answer).toEqual({ tokenCount: expect.any(Number), clients: [] });
});

test('common tokens of common languages have the expected kinds', async () => {
  await highlighter.load([
    'ts',
    'python',
    'json',
    'bash',
    'yaml',
    'html',
    'diff',
    'mdx',
    'md',
    'env',
  ]);
  const cases: [string, string, string, string][] = [
    ['ts', 'const a = "b"; // note', 'const', 'keyword'],
    ['ts', 'const a = "b"; // note', '"b"', 'string'],
    ['ts', 'const a = "b"; // note', 'note', 'comment'],
    ['ts', 'call(1)', 'call', 'function'],
    ['ts', 'call(1)', '1', 'constant'],
    ['ts', 'class Foo {}', 'Foo', 'type'],
    ['python', 'def go(x):\n    return None', 'go', 'function'],
    ['python', 'def go(x):\n    return None', 'None', 'constant'],
    ['json', '{"key": true}', 'key', 'property'],
    ['json', '{"key": true}', 'true', 'constant'],
    ['bash', 'echo "$HOME"', 'HOME', 'variable'],
    [
      'bash',
      `curl -X POST 'https://a.test' \\\n  -d '{\n  "name": "O'\\''Hara"\n}' && echo "$HOME"`,
      'name',
      'property',
    ],
    ['bash', `curl -d '{"a": [1]}' && echo "$HOME"`, 'HOME', 'variable'],
    ['bash', `echo '{"name": 1}'`, 'name', 'string'],
    ['yaml', 'key: value', 'key', 'property'],
    ['html', '<a href="x">t</a>', 'href', 'property'],
    ['html', '<a href="x">t</a>', 'a', 'tag'],
    ['diff', '+ new\n- old', 'new', 'inserted'],
    ['diff', '+ new\n- old', 'old', 'deleted'],
    [
      'mdx',
      'import { Box } from "/box.mdx"\n\n<Card title="x">\n  text\n</Card>',
      'import',
      'keyword',
    ],
    ['mdx', '<Card title="x">\n  text\n</Card>', 'title', 'property'],
    ['mdx', '---\nicon: "x"\n---\n', 'icon', 'property'],
    ['env', 'API_KEY=your-key', 'API_KEY', 'property'],
    ['env', 'API_KEY=your-key', 'your-key', 'string'],
    ['md', '---\nicon: "x"\n---\n', 'icon', 'property'],
  ];
  for (const [language, code, part, kind] of cases)
    expect(kindOf(code, language, part), `${language}: ${part}`).toBe(kind);
});

test('no character of the code is lost or added, in any tested language', async () => {
  const code = 'a  b\t"c\n\n  # 😀 <x> `y` $\n';
  const languages = [
    'ts',
    'python',
    'json',
    'bash',
    'yaml',
    'markdown',
    'sql',
    'rust',
    'text',
    'nope',
  ];
  await highlighter.load(languages);
  for (const language of languages) {
    const back = highlighter
      .highlight(code, language)
      .map((line) => line.map(({ text }) => text).join(''))
      .join('\n');
    expect(back, language).toBe(code);
  }
});

test('languages are recognized by every common name, and unknown names are returned', async () => {
  const known = [
    'JSON',
    'Python',
    'curl',
    'console',
    'shell-session',
    'env',
    'command',
    'txt',
    'plaintext',
    '',
    'js{1,3}',
    'C#',
    'proto',
    'protobuf',
    'jinja2',
    'patch',
    'docker-compose',
    'systemverilog',
    'stdout',
  ];
  expect(await highlighter.load([...known, 'klingon'])).toEqual(['klingon']);
});

test('the tokens of a block do not depend on the languages loaded before', async () => {
  const code = '```python\nx = 1\n```\n';
  const first = createShikiHighlighter();
  await first.load(['markdown']);
  const second = createShikiHighlighter();
  await second.load(['python']);
  await second.load(['markdown']);
  await second.load(['typescript']);
  expect(second.highlight(code, 'markdown')).toEqual(first.highlight(code, 'markdown'));
});

test('a huge block and a huge line are left plain, and the lines after the latter are not', async () => {
  await highlighter.load(['ts']);
  const block = highlighter.highlight('let a = 1;\n'.repeat(30_000), 'ts');
  const line = highlighter.highlight(`${'x+'.repeat(4_000)}\nlet b = 2`, 'ts');
  expect(block.slice(0, -1)).toEqual(Array(30_000).fill([{ text: 'let a = 1;', kind: 0 }]));
  expect(line[0]).toEqual([{ text: 'x+'.repeat(4_000), kind: 0 }]);
  expect(line[1]?.length).toBeGreaterThan(1);
});

test('an unknown theme is reported with the most similar name', () => {
  const found = codeThemeDiagnostics({ light: 'githb-dark', dark: 'nord' }, 'docs.json');
  expect(found).toMatchObject([{ code: 'unknown-code-theme', file: 'docs.json' }]);
  expect(found[0]?.remedy).toContain('"github-dark"');
  expect(
    codeThemeDiagnostics({ light: 'css-variables', dark: 'css-variables' }, 'docs.json'),
  ).toEqual([]);
});

test('the css-variables theme uses the variables of the format', async () => {
  const variables = await codeThemeVariables('css-variables');
  expect(variables?.['--d-token-keyword']).toBe('var(--mint-token-keyword, var(--d-code-fg))');
  expect(variables?.['--d-code-bg']).toContain('--mint-color-background');
});

test('a theme of the site sets every color that the stylesheet needs', async () => {
  const variables = await codeThemeVariables('github-dark');
  expect(Object.keys(variables ?? {})).toEqual([
    '--d-code-bg',
    '--d-code-fg',
    ...tokenKinds.map(({ name }) => `--d-token-${name}`),
  ]);
  expect(variables?.['--d-token-keyword']).toBe('#F97583');
  expect(await codeThemeVariables('no-such-theme')).toBeUndefined();
  expect(await codeThemeVariables('constructor')).toBeUndefined();
});

test('every kind of token has a class and a readable color, in light and dark mode', () => {
  const css = readFileSync(
    new URL('../../../theme/src/styles/text/code-tokens.css', import.meta.url),
    'utf8',
  );
  const rules = tokenStyles();
  const fg = parseColor('#ecedf1')!;
  const backgrounds = {
    light: parseColor('#f8f9fa')!,
    dark: mixColors(parseColor('#0e0f12')!, fg, 0.06),
  };
  tokenKinds.forEach(({ name }, index) => {
    expect(rules).toContain(`.k${index + 1} { color: var(--d-token-${name})`);
    const [, light, dark] =
      new RegExp(`--d-token-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
    for (const [mode, value] of Object.entries({ light, dark }) as [
      'light' | 'dark',
      string | undefined,
    ][]) {
      const color = parseColor(value);
      expect(color, `${mode} ${name}`).toBeDefined();
      expect(
        contrast(color!, backgrounds[mode]),
        `${mode} ${name} ${formatColor(color!)}`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });
});

const explainer = createCodeExplainer();

async function explain(code: string, language = 'ts'): Promise<ExplainedCode> {
  explainer.find(code, language);
  await explainer.settle();
  return explainer.find(code, language)!;
}

test('names have hints with their types, and with documentation if there is any', async () => {
  const { hints, code } = await explain(
    '/** Says hello. */\nfunction greet(name: string) {\n  return name.length;\n}\n',
  );
  const texts = hints.map(({ text }) => text);
  expect(texts).toContain('function greet(name: string): number');
  expect(texts).toContain('(parameter) name: string');
  expect(hints.find(({ text }) => text.startsWith('function'))?.docs).toBe('Says hello.');
  expect(code.split('\n')[1]?.slice(hints[0]!.start, hints[0]!.start + hints[0]!.length)).toBe(
    'greet',
  );
});

test('compiler annotations are removed, and their results are notes on the lines', async () => {
  const { code, notes } = await explain(
    'const a = [1].map(String)\n//    ^?\n// @log: done\n',
    'typescript',
  );
  expect(code.trim()).toBe('const a = [1].map(String)');
  expect(notes).toMatchObject([
    { line: 0, kind: 'type', text: 'const a: string[]' },
    { kind: 'log', text: 'done' },
  ]);
});

test('type errors are shown, but missing packages are not', async () => {
  const { notes } = await explain("import { x } from 'some-package'\nconst a: number = 'b'\n");
  expect(notes.map(({ text }) => text)).toEqual([
    "Type 'string' is not assignable to type 'number'.",
  ]);
  expect(notes[0]).toMatchObject({ line: 1, kind: 'error' });
});

test('the explained code cannot read files of the machine', async () => {
  const file = join(tmpdir(), `docent-secret-${process.pid}.ts`);
  writeFileSync(file, 'export const secret = "hidden-word" as const;');
  const path = file.replace(/\.ts$/, '');
  const codes = [
    `import { secret } from '${path}'\nconst a = secret\n//    ^?`,
    `/// <reference path="${file}" />\nimport s = require('${path}')\nconst a = s\n//    ^?`,
    `import * as fs from 'node:fs'\nconst a = fs\n//    ^?`,
    `// @typeRoots: /usr/lib/node_modules/@types\nimport p from '/etc/passwd'\nconst a = p\n//    ^?`,
  ];
  for (const code of codes) {
    const { notes, hints } = await explain(code);
    const output = JSON.stringify([notes, hints]);
    expect(output).not.toContain('hidden-word');
    expect(output).not.toMatch(/readFileSync|root:/);
  }
});

test('code that cannot be explained has a problem with the reason, and remains unchanged', async () => {
  const python = await explain('x = 1', 'python');
  expect(python).toMatchObject({ code: 'x = 1', hints: [] });
  expect(python.problem).toBeTruthy();
  expect((await explain('// @nonsense: 1\nconst a = 1\n//    ^?')).code).toContain('const a = 1');
  expect((await explain('x'.repeat(30_000))).problem).toBeTruthy();
  expect(explainer.find('const later = 1', 'ts')).toBeUndefined();
});

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
  const text = terminalLines(
    `${ESC}[2J${ESC}[?25l${ESC}]8;;https://a.example${ESC}\\link${ESC}]8;;\u0007 ${ESC}[1Kend${ESC}M`,
  );
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
  expect(terminalLines(`${colors}${`${ESC}]`.repeat(1000)}${'1;'.repeat(1000)}`)).toEqual([
    [{ text: colors, kind: 0 }],
  ]);
});

test('what is cached of a block keeps nothing else of its page in memory', async () => {
  const highlighter = createShikiHighlighter();
  await highlighter.load(['js']);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let page = 0; page < 200; page++) {
    const text = `const page${page} = 'a block of code';\n${`${page} `.repeat(100_000)}`;
    highlighter.highlight(text.slice(0, text.indexOf('\n')), 'js');
  }
  // The pages have 60 MB.
  expect(used() - before).toBeLessThan(10_000_000);
});
