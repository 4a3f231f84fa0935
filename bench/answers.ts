import {
  type ExtractiveAnswer,
  extractiveAnswer,
} from '@docent/assistant/extractive/extractive-answer.ts';
import { cpuMsSince, quantile } from './measure.ts';
import { offTopicQuestions } from './off-topic-questions.ts';
import { type AskedSite, forEachSite } from './train/asked-sites.ts';
import { type TrainingData, trainingData } from './train/public-projects.ts';
import { plain } from './train/unit-model.ts';

/*
 * How real questions, and questions about something else, are answered without a language model.
 *
 *   node bench/answers.ts [<corpora folder> <retrieval folder>] [--sample=<count>] [--seed=<number>]
 *
 * The folders are those of `bench/train.ts`. The search of each project is ordered by a second
 * stage that was trained on the other projects only, without embeddings; the confidence of an
 * answer uses the current weights. Prints as many answers as the sample has, drawn with the seed,
 * for a person to judge; the confidence of the answers, and how often the first page that is
 * quoted, or the second, is a correct one; how many answers have the words that they need; their length; CPU milliseconds of an answer beyond retrieval.
 */

interface Asked {
  project: string;
  q: string;
  /** None if the question is about something else. */
  relevant?: readonly string[];
  text: string;
  tier: 'answer' | 'nearest' | 'none';
  sources: readonly string[];
}

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
await run(trainingData(process.argv.slice(2).filter((argument) => !argument.startsWith('--'))));

async function run(data: TrainingData): Promise<void> {
  const asked: Asked[] = [];
  const milliseconds: number[] = [];
  const withPhrases: boolean[] = [];
  await forEachSite(data, async (site) => {
    for (const { q, relevant } of site.questions)
      asked.push(await answer(site, q, relevant, milliseconds));
    for (const q of offTopicQuestions) asked.push(await answer(site, q, undefined, milliseconds));
    for (const { q, relevant, phrases = [] } of site.phrased) {
      const text = plain((await answer(site, q, relevant, milliseconds)).text);
      withPhrases.push(phrases.every((phrase) => text.includes(plain(phrase))));
    }
  });
  const real = asked.filter(({ relevant }) => relevant !== undefined);
  for (const { project, q, relevant, tier, text } of drawn(
    real,
    numberFlag('sample', 0),
    numberFlag('seed', 1),
  ))
    process.stdout.write(
      `\n######## ${project}: ${q}\n(${relevant?.join(', ')}; ${tier})\n\n${text}\n`,
    );
  process.stdout.write(
    '\n| | questions | answer (first page right, second) | nearest (first page right, second) | none |\n| --- | --- | --- | --- | --- |\n',
  );
  printRow('real questions', real);
  printRow(
    'questions about something else',
    asked.filter(({ relevant }) => relevant === undefined),
  );
  process.stdout.write(
    `\nThe words that an answer needs are in ${withPhrases.filter(Boolean).length} of ${withPhrases.length} answers.\n`,
  );
  const lengths = real.map(({ text }) => text.length);
  process.stdout.write(
    `\nCharacters of an answer as it is sent: median ${quantile(lengths, 0.5)}, 95th percentile ${quantile(lengths, 0.95)}\n`,
  );
  const at = (share: number) => quantile(milliseconds, share).toFixed(1);
  process.stdout.write(
    `\nCPU milliseconds of an answer beyond retrieval: median ${at(0.5)}, 95th percentile ${at(0.95)}\n`,
  );
}

async function answer(
  { project, ask }: AskedSite,
  q: string,
  relevant: readonly string[] | undefined,
  milliseconds: number[],
): Promise<Asked> {
  const { passages, note } = await ask(q);
  const before = process.cpuUsage();
  const made = extractiveAnswer({
    instructions: '',
    steps: [],
    mayUseTools: false,
    turns: [{ role: 'user', text: q }],
    passages,
    note,
  });
  milliseconds.push(cpuMsSince(before));
  const text = made.pieces.join('');
  return {
    project,
    q,
    ...(relevant && { relevant }),
    text,
    tier: tierOf(made),
    sources: made.sources,
  };
}

function tierOf({ answered, isSure }: ExtractiveAnswer): Asked['tier'] {
  if (!answered) return 'none';
  return isSure ? 'answer' : 'nearest';
}

function printRow(name: string, asked: readonly Asked[]): void {
  const cells = (['answer', 'nearest', 'none'] as const).map((tier) => {
    const ofTier = asked.filter((one) => one.tier === tier);
    const right = (place: number) =>
      ofTier.filter(({ sources, relevant = [] }) => relevant.includes(sources[place] ?? '')).length;
    return tier === 'none' ? `${ofTier.length}` : `${ofTier.length} (${right(0)}, ${right(1)})`;
  });
  process.stdout.write(`| ${name} | ${asked.length} | ${cells.join(' | ')} |\n`);
}

function numberFlag(name: string, otherwise: number): number {
  const flag = flags.find((one) => one.startsWith(`--${name}=`));
  return flag === undefined ? otherwise : Number(flag.slice(name.length + 3));
}

function drawn(asked: readonly Asked[], count: number, seed: number): Asked[] {
  const random = randomNumbers(seed);
  const order = asked.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at);
  return order.slice(0, count).map(({ one }) => one);
}

/** The mulberry32 generator: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
