import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import { foreignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import { type Retrieval, retrieve } from '@docent/assistant/retrieve/retrieve.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { sectionWeights, unitWeights } from '../../packages/assistant/src/extractive/weights.ts';
import { PAGE_COLUMNS } from '../../packages/search/src/second-stage/page-facts.ts';
import { pageMeans, secondStageWeights } from '../../packages/search/src/second-stage/weights.ts';
import { buildInMemory } from '../build-in-memory.ts';
import type { CandidateList } from './fit-softmax.ts';
import { train } from './leave-one-out.ts';
import type { TrainingData } from './public-projects.ts';
import {
  defaultSlice,
  examplesOf,
  type Question,
  readBlindQuestions,
  readQuestions,
} from './read-examples.ts';
import { fitSections, sectionList } from './section-model.ts';
import { fitUnits, unitLists } from './unit-model.ts';

const PAGES = 5;

/** A project that can be asked as readers ask its assistant. */
export interface AskedSite {
  project: string;
  /** Real ones, or the blind ones of a project without. */
  questions: readonly Question[];
  /** All of those and the blind ones that name the words of their answer. */
  phrased: readonly Question[];
  ask: (question: string, more?: Partial<AssistantQuestion>) => Promise<Retrieval>;
  /** The sections of the right page, for the questions that name them. */
  sections: readonly CandidateList[];
  /** The parts of the best sections, for the questions that name the words of an answer. */
  units: readonly CandidateList[];
}

/**
 * Builds the projects and yields them one by one. The search of each is ordered by a second stage
 * that was trained on the others only, as for an unknown project, and so are the sections of a
 * page.
 */
export async function forEachSite(
  { retrieval, folders }: TrainingData,
  visit: (site: AskedSite, all: readonly AskedSite[]) => Promise<void>,
): Promise<void> {
  const built = [];
  for (const [project, folder] of folders) {
    const { build, searchIndex } = await buildInMemory(folder);
    const real = readQuestions(retrieval, project);
    const all = [...real, ...readBlindQuestions(project)];
    const examples = examplesOf(project, searchIndex, defaultSlice(build), all);
    const questions = real.length > 0 ? real : all;
    const phrased = all.filter(({ phrases }) => phrases !== undefined);
    const defaults = defaultLabels(build);
    built.push({ project, questions, phrased, examples, searchIndex, defaults });
    process.stderr.write(`${project} built\n`);
  }
  const sites: AskedSite[] = [];
  for (const { project, questions, phrased, searchIndex, defaults } of built) {
    const model = train(
      built.filter((site) => site.project !== project).flatMap(({ examples }) => examples),
    );
    orderBy(model);
    const index = loadSearchIndex(searchIndex);
    const ask: AskedSite['ask'] = (text, more = {}) => {
      const turns = [{ role: 'user' as const, text }];
      const question = {
        question: text,
        turns,
        context: [],
        pageSize: PAGES,
        ...more,
      } as unknown as AssistantQuestion;
      orderBy(model);
      return retrieve(index, question, { publicUrl: '', defaults, foreignWords });
    };
    const sections = [];
    for (const question of questions)
      sections.push(...sectionList(question, await ask(question.q)));
    sites.push({ project, questions, phrased, ask, sections, units: [] });
  }
  // How likely a section answers is a feature of its parts.
  for (const site of sites) {
    orderSections(sites, site);
    const units = [];
    for (const question of site.phrased)
      units.push(...unitLists(question, await site.ask(question.q)));
    site.units = units;
  }
  for (const site of sites) {
    orderSections(sites, site);
    const others = sites.filter((other) => other !== site).flatMap(({ units }) => units);
    if (others.length > 0) Object.assign(unitWeights, fitUnits(others));
    await visit(site, sites);
  }
}

/** Orders the sections of a site as was trained on the others. */
function orderSections(sites: readonly AskedSite[], site: AskedSite): void {
  const others = sites.filter((other) => other !== site).flatMap(({ sections }) => sections);
  if (others.length > 0) Object.assign(sectionWeights, fitSections(others));
}

/**
 * An index reads its weights when it is loaded and queried, so they are replaced in place, in this
 * process only.
 */
function orderBy({ means, weights }: ReturnType<typeof train>): void {
  const pages = PAGE_COLUMNS.length;
  pageMeans.splice(0, pages, ...means.slice(0, pages));
  Object.assign(secondStageWeights, { page: weights.slice(0, pages), query: weights.slice(pages) });
}
