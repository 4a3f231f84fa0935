import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import { type QuotedAnswer, quotedAnswer } from '@docent/assistant/quoted-answer.ts';
import { isForeign } from '@docent/assistant/retrieve/foreign-question.ts';
import type { ForeignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import type { RetrieveOptions } from '@docent/assistant/retrieve/retrieve.ts';
import type { Shard, ShardHead } from '@docent/search/shards/shard-format.ts';
import { openShardedIndex, type ShardedIndex } from '@docent/search/shards/sharded-index.ts';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { AskBody } from '../assistant/assistant-client.ts';
import { loadShared } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { type SearchSource, searchSource } from '../search/search-index.ts';

declare global {
  /** The global API of `answers.js`. */
  var __docentAnswer: ((body: AskBody) => Promise<QuotedAnswer>) | undefined;
  /** This script as a function, which its build makes of it. */
  var __docentAnswers: (() => void) | undefined;
  /** What the file `FOREIGN_WORDS` sets. */
  var __docentForeignWords: ForeignWords | undefined;
}

/** The file beside this script that has the dictionary of other languages; its build names it. */
declare const FOREIGN_WORDS: string;

/** Where this script is, as long as it runs; a worker has it from text. */
const address =
  typeof document === 'undefined'
    ? ''
    : ((document.currentScript as HTMLScriptElement | null)?.src ?? '');

/** As many pages as a server answers from. */
const PAGES = 5;

interface Task {
  question: AssistantQuestion;
  options: Omit<RetrieveOptions, 'search'>;
}
interface WorkerCalls {
  answer(head: ShardHead, task: Task): Promise<QuotedAnswer>;
}
interface PageCalls {
  loadShard(number: number): Promise<Shard>;
}

const answerWith = (index: ShardedIndex, { question, options }: Task) =>
  index.compute((whole) => quotedAnswer(whole, question, options));

/**
 * Answers from the search index of the site's pages, in this browser: what a server without a
 * language model answers. A worker computes it, so that the page stays responsive; where none can
 * run, the page does.
 */
async function answer(body: AskBody): Promise<QuotedAnswer> {
  const source = await searchSource();
  const task = await taskOf(body, source);
  try {
    return await answerInWorker(source, task);
  } catch {
    return answerWith(openShardedIndex(source.head, source.loadShard), task);
  }
}

async function taskOf(
  { messages, context, currentPath, filter, fp }: AskBody,
  { rules }: SearchSource,
): Promise<Task> {
  const turns = messages.map(({ role, parts }) => ({
    role,
    text: parts.map(({ text }) => text).join('\n\n'),
  }));
  const question: AssistantQuestion = {
    ...{ fp, turns, context, images: [], continuesAssistant: false, pageSize: PAGES },
    ...{ wire: 'full', searchForm: 'object', onlyNewest: false },
    question: turns.at(-1)?.text ?? '',
    ...(filter && { filter }),
    ...(currentPath !== undefined && { currentPath }),
  };
  const { defaultVersion, version, language } = pageData();
  const label = defaultVersion ?? version;
  const defaults = { ...(label && { version: label }), ...(language && { language }) };
  const foreignWords = isForeign(question.question) ? await loadForeignWords() : {};
  return { question, options: { publicUrl: '', defaults, rules, foreignWords } };
}

/** Without the file a question is searched by the words that it has. */
async function loadForeignWords(): Promise<ForeignWords> {
  if (!globalThis.__docentForeignWords)
    await loadShared(new URL(FOREIGN_WORDS, address).href).catch(() => undefined);
  return globalThis.__docentForeignWords ?? {};
}

interface StartedWorker {
  calls: BirpcReturn<WorkerCalls, PageCalls>;
  /** Rejects if the browser does not run the worker. */
  failure: Promise<never>;
}
const workers = new WeakMap<SearchSource, StartedWorker>();

function answerInWorker(source: SearchSource, task: Task): Promise<QuotedAnswer> {
  const worker = workers.get(source) ?? startWorker(source);
  workers.set(source, worker);
  return Promise.race([worker.calls.answer(source.head, task), worker.failure]);
}

/**
 * A page from disk can neither fetch a script nor name a file as a worker, so the worker runs the
 * text of this script. It has no files either: the page loads them.
 * @throws any error of the browser if it allows no worker
 */
function startWorker({ loadShard }: SearchSource): StartedWorker {
  const text = new Blob([`(${globalThis.__docentAnswers})()`], { type: 'text/javascript' });
  const address = URL.createObjectURL(text);
  const worker = new Worker(address);
  const failure = new Promise<never>((_, reject) => {
    worker.onerror = () => {
      worker.terminate();
      reject(new Error('The worker could not run.'));
    };
  });
  failure.catch(() => undefined);
  const calls = createBirpc<WorkerCalls, PageCalls>(
    { loadShard },
    {
      post: (message) => worker.postMessage(message),
      on: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
      timeout: -1,
    },
  );
  return { calls, failure };
}

/** In the worker. */
function serve(): void {
  let index: ShardedIndex | undefined;
  const page = createBirpc<PageCalls, WorkerCalls>(
    {
      answer(head, task) {
        index ??= openShardedIndex(head, (number) => page.loadShard(number));
        return answerWith(index, task);
      },
    },
    {
      post: (message) => postMessage(message),
      on: (listener) => addEventListener('message', ({ data }) => listener(data)),
      timeout: -1,
    },
  );
}

if (typeof document === 'undefined') serve();
else globalThis.__docentAnswer = answer;
