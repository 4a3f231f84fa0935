import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuestionResult } from '@docent/format/questions/question-results.ts';
import { runAsk } from '../../packages/docent/src/authoring/ask.ts';
import { createOutput } from '../../packages/docent/src/kernel/output.ts';

/** What `docent ask` finds out about each question. */
export type Evaluation = Pick<QuestionResult, 'question' | 'rank' | 'isAnswered' | 'isOpen'>[];

/**
 * Asks a documentation folder its questions, as `docent ask` does.
 * @param file questions of `docent ask`, or lines `{"q": question, "relevant": [page, …]}`; by
 *   default those of the folder
 * @throws DocentError like `docent ask`; Error naming the line that is no question
 */
export async function evaluateFolder(folder: string, file?: string): Promise<Evaluation> {
  const work = await mkdtemp(join(tmpdir(), 'docent-eval-'));
  try {
    const path = file?.endsWith('.jsonl') ? await writtenAnew(file, work) : file;
    let results: Evaluation = [];
    const output = {
      ...createOutput({ json: true }),
      progress: () => {},
      result: (_text: string, data: unknown) => {
        ({ results } = data as { results: Evaluation });
      },
    };
    await runAsk(folder, path, {}, output);
    return results;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** YAML contains JSON. */
async function writtenAnew(file: string, folder: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const questions = lines.map((line, at) => {
    const { q, relevant } = parsed(line) as { q?: unknown; relevant?: unknown };
    if (typeof q !== 'string' || !Array.isArray(relevant))
      throw new Error(`${file}: line ${at + 1} is not {"q": question, "relevant": [page, …]}.`);
    return { question: q, pages: relevant };
  });
  const path = join(folder, 'questions.yaml');
  await writeFile(path, JSON.stringify({ questions }));
  return path;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

/** A row of the mean figures; questions without a page count for none of them. */
export function evaluationText(results: Evaluation): string {
  const asked = results.filter(({ isOpen }) => !isOpen);
  const mean = (of: (result: Evaluation[number]) => number) =>
    asked.length === 0
      ? '–'
      : (asked.reduce((sum, result) => sum + of(result), 0) / asked.length).toFixed(3);
  const within = (most: number) => mean(({ rank }) => Number(rank !== null && rank <= most));
  return [
    '| questions | hit@1 | hit@5 | MRR@5 | answered |',
    '| --- | --- | --- | --- | --- |',
    `| ${[asked.length, within(1), within(5), mean(({ rank }) => (rank === null ? 0 : 1 / rank)), mean(({ isAnswered }) => Number(isAnswered))].join(' | ')} |`,
  ].join('\n');
}
