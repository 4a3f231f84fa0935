import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluateFolder, evaluationText } from '../../bench/eval/evaluate-folder.ts';

test('any folder is evaluated with the questions of anybody, in both forms', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-evaluated-'));
  try {
    await mkdir(join(folder, 'guides'));
    const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;
    const pages = ['index', 'guides/keys', 'guides/export'];
    await writeFile(
      join(folder, 'docs.json'),
      JSON.stringify({
        name: 'A',
        theme: 'mint',
        colors: { primary: '#0a0' },
        navigation: { pages },
      }),
    );
    await writeFile(join(folder, 'index.mdx'), page('Welcome', 'This is the start.'));
    await writeFile(
      join(folder, 'guides/keys.mdx'),
      page('Rotate keys', 'To rotate a key, create another key and delete the first one.'),
    );
    await writeFile(
      join(folder, 'guides/export.mdx'),
      page('Export', 'An export packs all pages into one archive.'),
    );
    const yaml = 'questions:\n  - question: How do I rotate a key?\n    pages: [guides/keys]\n';
    await writeFile(join(folder, 'questions.yaml'), yaml);
    const lines = ['How do I rotate a key?', 'Where does the export go?'].map((q) =>
      JSON.stringify({ q, relevant: ['guides/keys'] }),
    );
    await writeFile(join(folder, 'other.jsonl'), `${lines.join('\n')}\n`);
    expect(await evaluateFolder(folder)).toMatchObject([{ rank: 1, isAnswered: true }]);
    const results = await evaluateFolder(folder, join(folder, 'other.jsonl'));
    expect(results.map(({ rank }) => rank)[0]).toBe(1);
    await writeFile(join(folder, 'wrong.jsonl'), '{"q": "How?"}\n');
    await expect(evaluateFolder(folder, join(folder, 'wrong.jsonl'))).rejects.toThrow('line 1');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the row has the means over questions that have a page', () => {
  const result = (rank: number | null, isAnswered: boolean, isOpen = false) => ({
    ...{ question: 'q', rank, isAnswered, isOpen },
  });
  const text = evaluationText([result(1, true), result(4, false), result(null, false, true)]);
  expect(text.split('\n')[2]).toBe('| 2 | 0.500 | 1.000 | 0.625 | 0.500 |');
});
