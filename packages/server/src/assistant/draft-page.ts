import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { TokenUsage } from '@docent/assistant/chat/answer-event.ts';
import type { Passage } from '@docent/assistant/chat/chat-request.ts';
import { ModelText } from '@docent/assistant/model/model-text.ts';
import type { PageDraft } from '@docent/assistant/model/page-draft.ts';
import { foreignWords } from '@docent/assistant/retrieve/foreign-words.ts';
import { retrieve } from '@docent/assistant/retrieve/retrieve.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { defaultLabels } from '@docent/format/build/default-slice.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import { exampleSources, sources, usage, usageOf } from '../analytics/analytics-schema.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { answerLink } from '../kernel/sites/site-pages.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { type AnswerDeps, languageModelFor } from './answer-question.ts';
import { estimatedUsage } from './model-usage.ts';

type DraftDeps = Pick<
  Deps,
  'config' | 'database' | 'liveSites' | 'siteSearch' | 'assistantSettings' | 'logger'
> &
  Pick<AnswerDeps, 'model' | 'models' | 'modelUsage'>;

interface WrittenPage extends PageDraft {
  sources: { title: string; url: string }[];
  model: string;
  usage: TokenUsage;
}

const PAGES = 5;
const MAX_PASSAGES = 24;
/** A page is not longer; a model that goes on is stopped. */
const MAX_WRITTEN = 40_000;

/**
 * Drafts the page that a group of questions lacks, with the language model of the site, from the
 * pages that come closest and that every reader of the site may read. Nothing is stored or
 * published; the tokens count like those of answers.
 * @param questions of one subject, the first one gives the title if the model does not
 * @throws DocentError `site_not_found`; `no_language_model`; `quota_exceeded` if the tokens of the
 *   day are used up; `dependency_unavailable` if the model fails
 */
async function draftPage(
  deps: DraftDeps,
  actor: Actor,
  { projectId, questions }: { projectId: string; questions: readonly string[] },
  signal: AbortSignal,
): Promise<WrittenPage> {
  const { id, slug } = await findPermittedSite(deps, actor, 'projects.write', projectId);
  // What only some readers may read must not get into a page for all.
  const site = (await deps.liveSites.find(slug))?.as('owner').narrowed([]);
  if (!site) throw new DocentError('site_not_found', 'Nothing is published on this site yet.');
  const settings = await deps.assistantSettings.of(id);
  const model = await languageModelFor(deps, id, settings);
  const passages = await passagesFor(deps, site, questions, settings);
  // With it comes the parser of pages, which the server itself runs in other processes.
  const { draftInstructions, pageDraft } = await import('@docent/assistant/model/page-draft.ts');
  const request = {
    instructions: draftInstructions(site.build.config.name),
    turns: [{ role: 'user' as const, text: questions.map((text) => `- ${text}`).join('\n') }],
    passages,
  };
  const { text, usage: tokens } = await writeText(deps, { id, model }, request, signal);
  const draft = pageDraft(text, {
    question: questions[0] ?? '',
    passages: passages.map(({ content, headings, metadata }) =>
      [metadata.title, ...headings, content].join('\n'),
    ),
    resolveLink: (address) => siteLink(site, address),
  });
  if (!draft) throw new DocentError('dependency_unavailable', 'The language model wrote no page.');
  const pages = new Map(
    passages.map(({ path, url, metadata: { title } }) => [path, { title, url }]),
  );
  return { ...draft, sources: [...pages.values()], model: model.name, usage: tokens };
}

/** Returns the best sections for all questions, each once. */
async function passagesFor(
  { siteSearch }: Pick<DraftDeps, 'siteSearch'>,
  site: LiveSite,
  questions: readonly string[],
  rules: AssistantSettings,
): Promise<Passage[]> {
  const index = await site.searchIndex();
  const byUrl = new Map<string, Passage>();
  for (const question of questions) {
    const request = {
      ...{ fp: 'anonymous', question, turns: [{ role: 'user' as const, text: question }] },
      ...{ context: [], images: [], continuesAssistant: false, pageSize: PAGES },
      ...{ wire: 'full' as const, searchForm: 'object' as const, onlyNewest: false },
    };
    const { passages } = await retrieve(index, request, {
      publicUrl: site.publicUrl,
      defaults: defaultLabels(site.build),
      rules,
      foreignWords,
      search: (query, options) => siteSearch.hits(site, query, options),
    });
    for (const passage of passages) {
      const { score } = byUrl.get(passage.url)?.metadata ?? { score: 0 };
      if (passage.metadata.score > score) byUrl.set(passage.url, passage);
    }
  }
  return [...byUrl.values()]
    .sort((a, b) => b.metadata.score - a.metadata.score)
    .slice(0, MAX_PASSAGES);
}

/** Returns what the model wrote, without its reasoning, and counts its tokens however it ends. */
async function writeText(
  { modelUsage, logger }: Pick<DraftDeps, 'modelUsage' | 'logger'>,
  { id, model }: { id: string; model: ChatModel },
  request: Pick<Parameters<ChatModel['stream']>[0], 'instructions' | 'turns' | 'passages'>,
  signal: AbortSignal,
): Promise<{ text: string; usage: TokenUsage }> {
  const reader = new ModelText(model);
  let text = '';
  let writtenLength = 0;
  let reported: TokenUsage | undefined;
  const take = (parts: ReturnType<ModelText['push']>) => {
    for (const part of parts) if (part.type === 'text') text += part.text;
  };
  const tokenUsage = () =>
    reported && reported.inputTokens + reported.outputTokens > 0
      ? reported
      : estimatedUsage(request, 'x'.repeat(writtenLength));
  try {
    for await (const part of model.stream({ ...request, steps: [], mayUseTools: false }, signal)) {
      if (part.type === 'finish') reported = part.usage;
      if (part.type !== 'text') continue;
      writtenLength += part.text.length;
      take(reader.push(part.text));
      if (writtenLength > MAX_WRITTEN) break;
    }
    take(reader.end());
  } catch (cause) {
    logger.error({ siteId: id, reason: errorMessage(cause) }, 'a page could not be drafted');
    throw new DocentError(
      'dependency_unavailable',
      'The language model failed while it wrote the draft; try again.',
      { cause },
    );
  } finally {
    if (reported || writtenLength > 0) await modelUsage.add(id, model.name, tokenUsage());
  }
  return { text, usage: tokenUsage() };
}

/** Returns the address on the site that a draft links a page by. */
function siteLink(site: LiveSite, address: string): string | undefined {
  const url = answerLink(site, address);
  return url?.startsWith(`${site.publicUrl}/`) ? url.slice(site.publicUrl.length) : undefined;
}

const draftBody = z
  .strictObject({
    questions: z
      .array(plainText(3, 500))
      .min(1)
      .max(8)
      .describe('Questions on one subject that no page answers, at most eight.'),
  })
  .meta({ examples: [{ questions: ['How do I rotate a key?', 'Do keys expire?'] }] });

const draftAnswer = field.resource(
  'PageDraft',
  'The draft of a page.',
  {
    fileName: field.text('A name for the file.'),
    title: field.text('Title of the page.'),
    content: field.text(
      'The page as MDX, with `hidden` and `noindex` in its frontmatter. It has no expressions, imports, HTML or links to other sites.',
    ),
    authorQuestions: field.int(
      'Number of questions to the author: statements that no page of the site says.',
    ),
    sources: sources.describe('The pages that the model read.'),
    model: field.text('The language model.'),
    usage,
  },
  {
    fileName: 'rotate-keys.mdx',
    title: 'Rotate keys',
    content: '---\ntitle: "Rotate keys"\nhidden: true\nnoindex: true\n---\n\n…\n',
    authorQuestions: 2,
    sources: exampleSources,
    model: 'anthropic:claude-sonnet-5',
    usage: { inputTokens: 5210, outputTokens: 640, costUsd: 0.02 },
  },
);

/** `POST /v1/analytics/{projectId}/assistant/questions/draft` */
export function draftPageRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'POST /v1/analytics/:projectId/assistant/questions/draft',
    operationId: 'draftPage',
    summary: 'Draft a page for questions',
    description:
      'Writes the first draft of a page that answers the questions, with the language model of the site, from the pages that come closest. Nothing is stored or published. The tokens count, also for `tokensPerDay`. Needs a language model.',
    permission: 'projects.write',
    refusals: [409, 503],
    body: draftBody,
    answer: draftAnswer,
    run: async ({ actor, params, body, reply }) => {
      const { usage: tokens, ...draft } = await draftPage(
        deps,
        actor,
        { ...params, ...body },
        abortOnClose(reply),
      );
      return { ...draft, usage: usageOf(deps.config, { ...tokens, model: draft.model }) };
    },
  });
}
