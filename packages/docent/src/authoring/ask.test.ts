import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Output } from '../kernel/output.ts';
import { runAsk } from './ask.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docent-ask-'));
  const keys =
    '---\ntitle: Rotate an API key\n---\n\nTo rotate an API key, run `acme keys rotate`. The old API key works for an hour.\n';
  await site('live', {});
  await site('docs', { 'keys.mdx': keys });
  await write(
    'docs/questions.yaml',
    'questions:\n  - { question: How do I rotate an API key?, pages: [keys] }\n  - question: And then?\n',
  );
  await write(
    'live/questions.yaml',
    'questions:\n  - { question: How do I start?, pages: [start] }\n',
  );
  await write('moved.yaml', 'questions: [{ question: Why?, pages: [kyes] }]');
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function site(name: string, pages: Record<string, string>): Promise<void> {
  const files = {
    'start.mdx': '---\ntitle: Get started\n---\n\nRun the program with `acme start`.\n',
    ...pages,
  };
  for (const [path, text] of Object.entries(files)) await write(`${name}/${path}`, text);
  const names = Object.keys(files).map((path) => path.replace('.mdx', ''));
  await write(
    `${name}/docs.json`,
    JSON.stringify({ name: 'Acme', theme: 'mint', navigation: { pages: names } }),
  );
}

async function ask(folder: string, file?: string, against?: string) {
  let [text, value]: [string, unknown] = ['', undefined];
  const output = {
    progress: () => {},
    note: () => {},
    result: (printed: string, json: unknown) => {
      [text, value] = [printed, json];
    },
  } as unknown as Output;
  const path = (name: string | undefined) => (name === undefined ? undefined : join(root, name));
  const code = await runAsk(
    join(root, folder),
    path(file),
    { against: path(against), all: true },
    output,
  );
  return { code, text, value };
}

it('asks the questions of a folder, prints where each page is found and what is quoted, and succeeds if the rules hold', async () => {
  const { code, text, value } = await ask('docs');
  expect(text).toContain('How do I rotate an API key?\n    keys: first');
  expect(text).toContain('1 questions: 1 found first, 1 among the first five, 0 not');
  expect(value).toMatchObject({
    counts: { questions: 1, inFive: 1, open: 1 },
    changes: null,
    rules: [{ rule: 'inFive', holds: true }],
  });
  expect(code).toBe(0);
});

it('fails if a rule of the file does not hold, and names what the answer lacks', async () => {
  const question = '{ question: How do I rotate an API key?, pages: [start], words: [acme start] }';
  await write('strict.yaml', `rules: { first: 100 }\nquestions: [${question}]`);
  const { code, text } = await ask('docs', 'strict.yaml');
  expect(text).toContain('first is keys');
  expect(text).toContain('without “acme start”');
  expect(text).toContain('FAILED: found first 0 %, at least 100 %');
  expect(code).toBe(1);
});

it('names what another version gains and loses, which fails by default', async () => {
  const question = '{ question: How do I rotate an API key?, pages: [keys] }';
  await write('changed.yaml', `rules: { first: 0 }\nquestions: [${question}]`);
  const gained = await ask('docs', 'changed.yaml', 'live');
  expect(gained.text).toContain('Answers 1 more, loses 0, 0 open\n+ How do I rotate an API key?');
  expect(gained.code).toBe(0);
  await site('soup', { 'keys.mdx': '---\ntitle: Soup\n---\n\nBoil the soup for an hour.\n' });
  const lost = await ask('soup', 'changed.yaml', 'docs');
  expect(lost.text).toContain('Answers 0 more, loses 1, 0 open\n- How do I rotate an API key?');
  expect(lost.text).toContain('FAILED: lost 1, at most 0');
  expect(lost.code).toBe(1);
});

it('refuses a page that does not exist and a file that is not there, with the remedy', async () => {
  await expect(ask('docs', 'moved.yaml')).rejects.toThrow(
    'moved.yaml: question 1: there is no page kyes; did you mean keys?',
  );
  await expect(ask('docs', 'none.yaml')).rejects.toThrow(
    /There is no file .*none\.yaml with questions/,
  );
  await expect(ask('none', 'moved.yaml')).rejects.toThrow(/There is no folder/);
});
