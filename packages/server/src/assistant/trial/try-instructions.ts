import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { TestQuestion } from '@docent/format/questions/question-file.ts';
import { questionPage } from '@docent/format/questions/question-snippet.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { type AnswerDeps, answerQuestion, QUOTING } from '../answer-question.ts';

/** As many pages as an answer is given from. */
const PAGES = 5;
const AT_ONCE = 4;

/**
 * Asks the language model of a site test questions with other settings. Nothing is stored; the
 * tokens count.
 * @returns for each question whether it is answered, from a page that should answer it, with the
 *   words that it needs
 * @throws DocentError `dependency_unavailable` if the model fails
 */
export async function askModel(
  deps: AnswerDeps,
  site: LiveSite,
  questions: readonly TestQuestion[],
  settings: Partial<AssistantSettings>,
  signal: AbortSignal,
): Promise<boolean[]> {
  const answerDeps: AnswerDeps = {
    ...deps,
    assistantSettings: {
      ...deps.assistantSettings,
      of: async (id) => ({
        ...(await deps.assistantSettings.of(id)),
        ...settings,
        ...{ enabled: true, experiment: null, requireThreadKey: false },
        // Checked before: half of a comparison by another model would say nothing.
        tokensPerDay: null,
      }),
    },
  };
  const answered: boolean[] = [];
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < questions.length && !signal.aborted) {
      const at = next;
      next += 1;
      answered[at] = await isAnswered(answerDeps, site, questions[at] as TestQuestion, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  signal.throwIfAborted();
  return answered;
}

async function isAnswered(
  deps: AnswerDeps,
  site: LiveSite,
  { question, pages, words, version, language }: TestQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const request: AssistantQuestion = {
    ...{ fp: 'anonymous', question, turns: [{ role: 'user', text: question }] },
    ...{ context: [], images: [], continuesAssistant: false, pageSize: PAGES },
    ...{ wire: 'full', searchForm: 'object', onlyNewest: false, filter: { version, language } },
    isTry: true,
  };
  let [outcome, model] = ['', ''];
  const answer = await answerQuestion(deps, site, request, signal, (report) => {
    ({ outcome, model } = report);
  });
  const sources = new Set<string>();
  let text = '';
  for await (const event of answer.events) {
    if (event.type === 'text') text += event.text.toLowerCase();
    if (event.type === 'source') sources.add(questionPage(event.url, site.publicUrl) ?? '');
  }
  if (model === QUOTING)
    throw new DocentError('dependency_unavailable', 'The language model of the site failed.');
  const hasWord = (word: TestQuestion['words'][number]) =>
    [word].flat().some((choice) => text.includes(choice.toLowerCase()));
  return outcome === 'answered' && pages.some((page) => sources.has(page)) && words.every(hasWord);
}
