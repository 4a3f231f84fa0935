import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultSlicePages } from '@docent/format/build/default-slice.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import type { StoredPage } from '@docent/search/index/stored-document.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { searchIndexOf } from '@docent/search/load/load-search-index.ts';
import type { SearchFilter } from '@docent/search/search-index.ts';
import type { Rows } from '../../packages/search/src/second-stage/order-pages.ts';
import { pageFacts } from '../../packages/search/src/second-stage/page-facts.ts';
import { buildInMemory } from '../build-in-memory.ts';

/** A question of a project, with the candidates of the first stage. */
export interface Example {
  project: string;
  question: string;
  /** Written from the pages alone, by writers who saw neither the other questions nor any result. */
  isBlind: boolean;
  /**
   * For each candidate in the order of the first stage: the facts of its page, then its columns for
   * this question.
   */
  rows: Float64Array[];
  isRelevant: boolean[];
}

/** A question of a user, and the pages that answer it. */
export interface Question {
  q: string;
  relevant: string[];
  /**
   * The sections that answer it, all of one page: `path#anchor`, or `path` for the text above the
   * first heading.
   */
  sections?: string[] | undefined;
  /** Words that an answer to it needs. */
  phrases?: string[] | undefined;
  isBlind?: boolean;
}

const blindFolder = fileURLToPath(new URL('../retrieval/blind-questions', import.meta.url));

/**
 * Project → SHA-256 of a question, its first 16 hexadecimal digits → the sections that answer it,
 * which were found by reading.
 */
const sectionLabels = readLabels('section-labels.json');
/** In the same form, words that an answer needs, in lower case and without punctuation. */
const answerPhrases = readLabels('answer-phrases.json');

function readLabels(file: string): Record<string, Record<string, string[]>> {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}

/** Returns the questions of one `<project>.jsonl`; none if there is no such file. */
export function readQuestions(folder: string, project: string): Question[] {
  const file = join(folder, `${project}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const question = JSON.parse(line) as Question;
    const hash = createHash('sha256').update(question.q).digest('hex').slice(0, 16);
    return {
      ...question,
      sections: sectionLabels[project]?.[hash],
      phrases: answerPhrases[project]?.[hash],
    };
  });
}

/** Returns the projects that have questions. */
export function projectsOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => name.slice(0, -'.jsonl'.length)).sort();
}

/**
 * Returns the default version and language of a site as a filter, and the pages reachable from
 * there.
 */
export function defaultSlice({ navigation, pages }: Pick<SiteBuild, 'navigation' | 'pages'>): {
  slice: Set<string>;
  filter: SearchFilter;
} {
  const slice = new Set(defaultSlicePages(navigation));
  const inSlice = pages.filter((page) => slice.has(page.path));
  const language = inSlice.find((page) => page.language !== undefined)?.language;
  const version = inSlice.find((page) => page.version !== undefined)?.version;
  return { slice, filter: { ...(language && { language }), ...(version && { version }) } };
}

/** Builds a project as for publishing and asks its questions and the blind ones. */
export async function readExamples(
  folder: string,
  retrieval: string,
  project: string,
): Promise<Example[]> {
  const { build, searchIndex } = await buildInMemory(folder);
  const questions = [...readQuestions(retrieval, project), ...readBlindQuestions(project)];
  return examplesOf(project, searchIndex, defaultSlice(build), questions);
}

/** Returns the questions of a project that were written blind, which are in this repository. */
export function readBlindQuestions(project: string): Question[] {
  return readQuestions(blindFolder, project).map((question) => ({ ...question, isBlind: true }));
}

/** Queries an index. */
export function examplesOf(
  project: string,
  bytes: Uint8Array,
  { slice, filter }: ReturnType<typeof defaultSlice>,
  questions: readonly Question[],
): Example[] {
  const data = new IndexData(bytes);
  const facts = pageFacts(data.factSource);
  let seen: Rows = { candidates: [], columns: [] };
  const index = searchIndexOf(data, {
    firstStageOnly: true,
    onRows: (rows) => {
      seen = rows;
    },
  });
  return questions.map(({ q, relevant, isBlind = false }) => {
    seen = { candidates: [], columns: [] };
    index.search(q, { limit: 1, completeLastWord: false, filter });
    const example: Example = { project, question: q, isBlind, rows: [], isRelevant: [] };
    seen.candidates.forEach(({ page }, at) => {
      const [path] = data.storedPages[page] as StoredPage;
      if (!slice.has(path)) return;
      example.rows.push(
        Float64Array.of(...(facts[page] as Float64Array), ...(seen.columns[at] as Float64Array)),
      );
      example.isRelevant.push(relevant.includes(path));
    });
    return example;
  });
}
