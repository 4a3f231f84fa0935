import { setImmediate as nextTurn } from 'node:timers/promises';
import { testQuestion } from '@docent/assistant/test-question.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { TestQuestion } from '@docent/format/questions/question-file.ts';
import { compareResults, type QuestionResult } from '@docent/format/questions/question-results.ts';
import type { SearchRules } from '@docent/search/search-rules.ts';
import type { Deps } from '../kernel/deps.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import type { LiveSite } from '../ports/live-sites.ts';

type TrialDeps = Pick<
  Deps,
  'config' | 'database' | 'liveSites' | 'siteSearch' | 'assistantSettings'
>;

/** Each takes some milliseconds of the process that also serves readers. */
const MAX_ASKED = 200;

/**
 * Asks a site its test questions with its rules and with others.
 * @param changes the lists to try; the others are those of the site
 * @throws DocentError `site_not_found`, also if nothing is published
 */
export async function trySearchRules(
  deps: TrialDeps,
  actor: Actor,
  name: string,
  changes: { [Name in keyof SearchRules]?: SearchRules[Name] | undefined },
) {
  const { id, slug } = await findPermittedSite(deps, actor, 'projects.write', name);
  const site = (await deps.liveSites.find(slug))?.as('owner');
  if (!site) throw new DocentError('site_not_found', 'Nothing is published on this site yet.');
  const { synonyms, pageRules } = await deps.assistantSettings.of(id);
  const saved = { synonyms, pageRules };
  const tried = {
    synonyms: changes.synonyms ?? synonyms,
    pageRules: changes.pageRules ?? pageRules,
  };
  const questions = questionsOf(site).slice(0, MAX_ASKED);
  const before = await askAll(deps, site, questions, saved);
  const after = await askAll(deps, site, questions, tried);
  const { gained, lost } = compareResults(after, before);
  const answered = (results: readonly QuestionResult[]) =>
    results.filter(({ isAnswered }) => isAnswered).length;
  const paths = new Set(site.build.pages.map(({ path }) => path));
  return {
    asked: questions.length,
    answeredBefore: answered(before),
    answeredAfter: answered(after),
    gained,
    lost,
    unknownPages: [
      ...new Set(tried.pageRules.flatMap(({ pin, block }) => [...pin, ...block])),
    ].filter((path) => !paths.has(path)),
  };
}

/** Builds from before pages were stored with the questions have none to ask. */
function questionsOf({ build }: LiveSite): TestQuestion[] {
  return (build.report?.questions?.results ?? []).flatMap(({ pages, words = [], ...question }) =>
    pages === undefined ? [] : [{ ...question, pages, words }],
  );
}

async function askAll(
  { siteSearch }: TrialDeps,
  site: LiveSite,
  questions: readonly TestQuestion[],
  rules: SearchRules,
): Promise<QuestionResult[]> {
  const questionSite = {
    index: await site.searchIndex(),
    defaults: defaultLabels(site.build),
    rules,
    search: (query: string, options: Parameters<typeof siteSearch.hits>[2]) =>
      siteSearch.hits(site, query, options),
  };
  const results: QuestionResult[] = [];
  for (const question of questions) {
    results.push(await testQuestion(questionSite, question));
    // Readers are served in between.
    await nextTurn();
  }
  return results;
}
