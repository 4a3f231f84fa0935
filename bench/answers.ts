import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AssistantQuestion } from '../src/core/assistant/assistant-question.ts';
import { extractiveAnswer } from '../src/core/assistant/extractive-answer.ts';
import { retrieve } from '../src/core/assistant/retrieve.ts';
import { loadSearchIndex } from '../src/core/search/load-search-index.ts';
import type { SearchIndex } from '../src/core/search/search-index.ts';
import { defaultLabels } from '../src/services/default-labels.ts';
import { buildInMemory } from './build-in-memory.ts';
import { offTopicQuestions } from './off-topic-questions.ts';

/*
 * What the extractive model answers to real questions, to be judged by a person, and what it says to questions about
 * something else.
 *
 *   node bench/answers.ts <corpora folder> <retrieval folder> [--set=third|fresh|old|rest]
 *
 * The folders are those of `bench/retrieval.ts`. `old` is every third of the first eighteen questions of each repository, `fresh`
 * six others of each, drawn with a fixed seed, `third` six more, drawn with another, `rest` what remains. Search is without embeddings. Printed: the answers; how
 * many questions were refused or answered with reserve, real ones and others; CPU milliseconds of an answer beyond retrieval.
 */

interface Question {
  q: string;
  relevant: string[];
}

interface Site {
  index: SearchIndex;
  defaults: ReturnType<typeof defaultLabels>;
}

interface Tally {
  asked: number;
  refused: number;
  withReserve: number;
}

type Sets = Record<'old' | 'fresh' | 'third' | 'rest', Question[]>;

const SEED = 20261121;
const THIRD_SEED = 420261121;
const EVERY = 3;
const OF_FIRST = 18;
const FRESH = 6;
const PAGES = 5;

const [corporaFolder, retrievalFolder, ...flags] = process.argv.slice(2);
if (corporaFolder === undefined || retrievalFolder === undefined) {
  process.stdout.write('usage: node bench/answers.ts <corpora folder> <retrieval folder> [--set=third|fresh|old|rest]\n');
} else await run(corporaFolder, retrievalFolder);

async function run(corpora: string, retrieval: string): Promise<void> {
  const wanted = (flags.find((flag) => flag.startsWith('--set='))?.slice('--set='.length) ?? 'fresh') as keyof Sets;
  const random = randomNumbers(SEED);
  const randomThird = randomNumbers(THIRD_SEED);
  const real: Tally = { asked: 0, refused: 0, withReserve: 0 };
  const other: Tally = { asked: 0, refused: 0, withReserve: 0 };
  const milliseconds: number[] = [];
  for (const file of readdirSync(retrieval).filter((name) => name.endsWith('.jsonl'))) {
    const repository = file.slice(0, -'.jsonl'.length);
    const lines = readFileSync(join(retrieval, file), 'utf8').trim().split('\n');
    const sets = split(
      lines.map((line) => JSON.parse(line) as Question),
      random,
      randomThird,
    );
    const site = await openSite(resolve(corpora, repository));
    for (const [name, questions] of Object.entries(sets)) {
      for (const { q, relevant } of questions) {
        const text = await answer(site, q, real, milliseconds);
        if (name === wanted) process.stdout.write(`\n######## ${repository}: ${q}\n(${relevant.join(', ')})\n\n${text}\n`);
      }
    }
    for (const q of offTopicQuestions) await answer(site, q, other, milliseconds);
  }
  printTally('real questions', real);
  printTally('questions about something else', other);
  milliseconds.sort((a, b) => a - b);
  const at = (share: number) => (milliseconds[Math.floor((milliseconds.length - 1) * share)] as number).toFixed(1);
  process.stdout.write(`CPU milliseconds of an answer beyond retrieval: median ${at(0.5)}, 95th percentile ${at(0.95)}\n`);
}

function split(questions: readonly Question[], random: () => number, randomThird: () => number): Sets {
  const old = questions.filter((_, index) => index < OF_FIRST && index % EVERY === 0);
  const others = shuffled(
    questions.filter((question) => !old.includes(question)),
    random,
  );
  const left = shuffled(others.slice(FRESH), randomThird);
  return { old, fresh: others.slice(0, FRESH), third: left.slice(0, FRESH), rest: left.slice(FRESH) };
}

function shuffled(questions: readonly Question[], random: () => number): Question[] {
  const order = [...questions];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as Question, order[i] as Question];
  }
  return order;
}

/** The generator known as mulberry32: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function openSite(folder: string): Promise<Site> {
  const { build, searchIndex } = await buildInMemory(folder);
  return { index: loadSearchIndex(searchIndex), defaults: defaultLabels(build) };
}

async function answer({ index, defaults }: Site, text: string, tally: Tally, milliseconds: number[]): Promise<string> {
  const turns = [{ role: 'user' as const, text }];
  const question = { question: text, turns, context: [], pageSize: PAGES } as unknown as AssistantQuestion;
  const { passages, note } = await retrieve(index, question, { publicUrl: '', defaults });
  const before = process.cpuUsage();
  const { pieces, answered } = extractiveAnswer({ instructions: '', steps: [], mayUseTools: false, turns, passages, note });
  const { user, system } = process.cpuUsage(before);
  milliseconds.push((user + system) / 1000);
  const whole = pieces.join('');
  tally.asked++;
  if (!answered) tally.refused++;
  else if (whole.startsWith('I found no passage')) tally.withReserve++;
  return whole;
}

function printTally(name: string, { asked, refused, withReserve }: Tally): void {
  process.stdout.write(
    `\n${name}: ${asked}, refused ${refused}, quoted with reserve ${withReserve}, answered ${asked - refused - withReserve}\n`,
  );
}
