import { resolve } from 'node:path';
import type { AssistantQuestion } from '../../src/core/assistant/assistant-question.ts';
import { type Retrieval, retrieve } from '../../src/core/assistant/retrieve.ts';
import { defaultLabels } from '../../src/core/navigation/default-labels.ts';
import { loadSearchIndex } from '../../src/core/search/index/load-search-index.ts';
import { PAGE_COLUMNS } from '../../src/core/search/second-stage/page-facts.ts';
import { secondStageWeights } from '../../src/core/search/second-stage/weights.ts';
import { buildInMemory } from '../build-in-memory.ts';
import { train } from './leave-one-out.ts';
import { defaultSlice, type Example, examplesOf, projectsOf, type Question, readQuestions } from './read-examples.ts';

const PAGES = 5;

/** A project that can be asked as readers ask its assistant. */
export interface AskedSite {
  project: string;
  questions: readonly Question[];
  ask: (question: string, more?: Partial<AssistantQuestion>) => Promise<Retrieval>;
}

/**
 * Builds the projects and yields them one by one. The search of each is ordered by a second stage that was trained on the others
 * only, as for an unknown project.
 */
export async function forEachSite(corpora: string, retrieval: string, visit: (site: AskedSite) => Promise<void>): Promise<void> {
  const sites = [];
  for (const project of projectsOf(retrieval)) {
    const { build, searchIndex } = await buildInMemory(resolve(corpora, project));
    const questions = readQuestions(retrieval, project);
    const examples = examplesOf(project, searchIndex, defaultSlice(build), questions);
    sites.push({ project, questions, examples, searchIndex, defaults: defaultLabels(build) });
    process.stderr.write(`${project} built\n`);
  }
  for (const { project, questions, searchIndex, defaults } of sites) {
    orderAsTrainedOn(sites.filter((site) => site.project !== project).flatMap(({ examples }) => examples));
    const index = loadSearchIndex(searchIndex);
    const ask: AskedSite['ask'] = (text, more = {}) => {
      const turns = [{ role: 'user' as const, text }];
      const question = { question: text, turns, context: [], pageSize: PAGES, ...more } as unknown as AssistantQuestion;
      return retrieve(index, question, { publicUrl: '', defaults });
    };
    await visit({ project, questions, ask });
  }
}

/** An index reads its weights when it is loaded and queried, so they are replaced in place, in this process only. */
function orderAsTrainedOn(examples: readonly Example[]): void {
  const { means, weights } = train(examples);
  const pages = PAGE_COLUMNS.length;
  Object.assign(secondStageWeights, {
    pageMeans: means.slice(0, pages),
    page: weights.slice(0, pages),
    query: weights.slice(pages),
  });
}
