import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { testQuestion } from '@docent/assistant/test-question.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { TestQuestion } from '@docent/format/questions/question-file.ts';
import { compareResults, type QuestionResult } from '@docent/format/questions/question-results.ts';
import type { SearchRules } from '@docent/search/search-rules.ts';
import type { Deps } from '../../kernel/deps.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { type AnswerDeps, languageModelFor } from '../answer-question.ts';
import { askModel } from './try-instructions.ts';

type TrialDeps = AnswerDeps &
  Pick<Deps, 'config' | 'database' | 'liveSites' | 'siteSearch' | 'assistantSettings'>;

type TriedSettings = {
  [Name in keyof SearchRules | 'instructions']?: AssistantSettings[Name] | undefined;
};

/** Each takes some milliseconds of the process that also serves readers. */
const MAX_ASKED = 200;
/** Each is asked twice, for money, while somebody waits. */
const MAX_ASKED_OF_MODEL = 12;

/**
 * Asks a site its test questions with its rules and with others; with instructions to try, its
 * language model is asked.
 * @param changes what to try; the rest is as the site has it
 * @throws DocentError `site_not_found`, also if nothing is published; with instructions,
 *   `no_language_model`, `quota_exceeded` and `dependency_unavailable`
 */
export async function trySearchRules(
  deps: TrialDeps,
  actor: Actor,
  name: string,
  changes: TriedSettings,
  signal: AbortSignal,
) {
  const { id, slug } = await findPermittedSite(deps, actor, 'projects.write', name);
  const site = (await deps.liveSites.find(slug))?.as('owner');
  if (!site) throw new DocentError('site_not_found', 'Nothing is published on this site yet.');
  const settings = await deps.assistantSettings.of(id);
  const { synonyms, pageRules } = settings;
  const saved = { synonyms, pageRules };
  const tried = {
    synonyms: changes.synonyms ?? synonyms,
    pageRules: changes.pageRules ?? pageRules,
  };
  const all = questionsOf(site);
  const { instructions } = changes;
  let compared: Comparison;
  if (instructions === undefined) {
    const questions = all.slice(0, MAX_ASKED);
    const before = await askAll(deps, site, questions, saved);
    compared = comparison(before, await askAll(deps, site, questions, tried));
  } else {
    await languageModelFor(deps, id, settings);
    const questions = all.filter(({ pages }) => pages.length > 0).slice(0, MAX_ASKED_OF_MODEL);
    const ask = async (changed: Partial<AssistantSettings>) => {
      const answered = await askModel(deps, site, questions, changed, signal);
      return questions.map((question, at) => ({
        ...question,
        isAnswered: answered[at] === true,
        isOpen: false,
      }));
    };
    compared = comparison(await ask({}), await ask({ ...tried, instructions }));
  }
  const paths = new Set(site.build.pages.map(({ path }) => path));
  return {
    ...compared,
    unknownPages: [
      ...new Set(tried.pageRules.flatMap(({ pin, block }) => [...pin, ...block])),
    ].filter((path) => !paths.has(path)),
  };
}

type Compared = Parameters<typeof compareResults>[0];
type Comparison = ReturnType<typeof comparison>;

function comparison(before: Compared, after: Compared) {
  const { gained, lost } = compareResults(after, before);
  const answered = (results: Compared) => results.filter(({ isAnswered }) => isAnswered).length;
  return {
    ...{ asked: after.length, answeredBefore: answered(before), answeredAfter: answered(after) },
    ...{ gained, lost },
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
