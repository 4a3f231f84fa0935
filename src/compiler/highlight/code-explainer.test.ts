import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExplainedCode } from '../../core/content/page-renderer.ts';
import { createCodeExplainer } from './code-explainer.ts';

const explainer = createCodeExplainer();

async function explain(code: string, language = 'ts'): Promise<ExplainedCode> {
  explainer.find(code, language);
  await explainer.settle();
  return explainer.find(code, language)!;
}

test('names have hints with their types, and with documentation if there is any', async () => {
  const { hints, code } = await explain('/** Says hello. */\nfunction greet(name: string) {\n  return name.length;\n}\n');
  const texts = hints.map(({ text }) => text);
  expect(texts).toContain('function greet(name: string): number');
  expect(texts).toContain('(parameter) name: string');
  expect(hints.find(({ text }) => text.startsWith('function'))?.docs).toBe('Says hello.');
  expect(code.split('\n')[1]?.slice(hints[0]!.start, hints[0]!.start + hints[0]!.length)).toBe('greet');
});

test('compiler annotations are removed, and their results are notes on the lines', async () => {
  const { code, notes } = await explain('const a = [1].map(String)\n//    ^?\n// @log: done\n', 'typescript');
  expect(code.trim()).toBe('const a = [1].map(String)');
  expect(notes).toMatchObject([
    { line: 0, kind: 'type', text: 'const a: string[]' },
    { kind: 'log', text: 'done' },
  ]);
});

test('type errors are shown, but missing packages are not', async () => {
  const { notes } = await explain("import { x } from 'some-package'\nconst a: number = 'b'\n");
  expect(notes.map(({ text }) => text)).toEqual(["Type 'string' is not assignable to type 'number'."]);
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
