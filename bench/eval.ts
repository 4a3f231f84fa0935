import { readFileSync, statSync } from 'node:fs';
import { askAndJudge, ownQuestions } from '../test/support/ask-and-judge.ts';
import { startFakeOpenAi } from '../test/support/fake-openai.ts';
import type { Judgment } from '../test/support/judge-answer.ts';
import { type ScriptedModel, scriptedModels } from '../test/support/scripted-models.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../test/support/start-docent.ts';
import { evaluateFolder, evaluationText } from './eval/evaluate-folder.ts';

/*
 * How well a documentation folder answers questions, or whether answers are grounded in our own.
 *
 *   npm run eval -- <folder> [questions.yaml | questions.jsonl]  any folder and its questions: right pages and answers, without a language model
 *
 * The questions are those of `docent ask`, by default `questions.yaml` of the folder, or lines
 * `{"q": question, "relevant": [page, …]}`.
 *
 * Without a folder: whether answers are grounded in the documentation. Sends each question over the API to a running
 * Docent with our own documentation, with a hostile text as the reader's selection; judges the
 * responses mechanically (`test/support/judge-answer.ts`).
 *
 *   npm run eval [-- <questions.jsonl>]                          scripted models, which behave well and badly in known ways
 *   DOCENT_MODEL=… npm run eval [-- <questions.jsonl>]           that model
 *
 * A line of the file is `{"q": question}`. Prints a table, and below it the sentences without
 * evidence.
 */
const [file, questionFile] = process.argv.slice(2);
if (file !== undefined && statSync(file).isDirectory()) {
  const report = await evaluateFolder(file, questionFile);
  process.stdout.write(`${evaluationText(report)}\n`);
  process.exit();
}
const questions = file === undefined ? ownQuestions : readQuestions(file);
const chosen = process.env.DOCENT_MODEL;

try {
  process.stdout.write(
    '| model | answers | empty | cited sentences grounded | other sentences grounded | dead links | foreign links |\n| --- | --- | --- | --- | --- | --- | --- |\n',
  );
  const notes = chosen === undefined ? await judgeScripted() : await judgeModel(chosen, {});
  process.stdout.write(
    notes.length === 0 ? '' : `\nNot covered:\n${notes.map((note) => `- ${note}`).join('\n')}\n`,
  );
} finally {
  await removeTemporaryFolders();
}

function readQuestions(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { q: string }).q);
}

async function judgeScripted(): Promise<string[]> {
  const notes: string[] = [];
  for (const name of Object.keys(scriptedModels) as ScriptedModel[]) {
    const model = await startFakeOpenAi([]);
    model.answer = scriptedModels[name];
    notes.push(
      ...(await judgeModel(name, {
        DOCENT_MODEL: 'openai-compatible:scripted',
        DOCENT_MODEL_URL: model.url,
      })),
    );
    await model.close();
  }
  return notes;
}

async function judgeModel(name: string, env: Record<string, string>): Promise<string[]> {
  const docent = await startDocent({ env });
  try {
    const judged = await judgeAll(docent);
    process.stdout.write(`| ${[name, questions.length, ...summary(judged)].join(' | ')} |\n`);
    return judged.flatMap(({ ungrounded }) =>
      ungrounded.map((text) => `${name}: ${text.trim().slice(0, 200)}`),
    );
  } finally {
    await docent.stop();
  }
}

async function judgeAll(docent: RunningDocent): Promise<Judgment[]> {
  const judged: Judgment[] = [];
  for (const question of questions) judged.push((await askAndJudge(docent, question)).judgment);
  return judged;
}

function summary(judged: readonly Judgment[]): (string | number)[] {
  const share = (kind: 'cited' | 'uncited') => {
    const [all, grounded] = [
      sum(judged.map((one) => one[kind].all)),
      sum(judged.map((one) => one[kind].grounded)),
    ];
    return `${grounded} of ${all}`;
  };
  const count = (of: (one: Judgment) => number) => sum(judged.map(of));
  return [
    count((one) => Number(one.isEmpty)),
    share('cited'),
    share('uncited'),
    count((one) => one.deadLinks.length),
    count((one) => one.foreignLinks.length),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
