import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import { questionKey } from '../../analytics/group-questions.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { App } from '../../kernel/http/base-app.ts';
import * as field from '../../kernel/operations/described.ts';
import { plainText } from '../../kernel/operations/fields.ts';
import { operationsOf } from '../../kernel/operations/operation.ts';
import { quotedName } from '../../kernel/quoted-name.ts';
import { openSecret } from '../../kernel/sealed-secrets.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import { readPage } from '../../kernel/sites/site-pages.ts';
import { findSite } from '../../kernel/sites/site-queries.ts';
import { type findAnsweredJob, tellReaderJob } from '../../ports/jobs.ts';
import { findDeploymentDetails } from '../../publishing/published-builds.ts';
import { deleteWaiting, findWaiting, listWaiting, setPage } from './waiting-queries.ts';

type TellDeps = Pick<Deps, 'database' | 'jobs' | 'liveSites' | 'config'>;

/** Of a question in a mail. */
const MAX_QUESTION = 200;
/** Below a site, with the key of an address after it. */
export const FORGET_PATH = '_docent/assistant/forget-address';

interface AnsweredQuestion {
  question: string;
  /** Path of the page that answers. */
  page: string;
}

/** Lets those be told who wait for an answer to these questions. @returns how many */
async function tellWaiting(
  { database, jobs }: TellDeps,
  siteId: string,
  answered: readonly AnsweredQuestion[],
): Promise<number> {
  const pages = new Map(answered.map(({ question, page }) => [questionKey(question), page]));
  let count = 0;
  for (const { messageId, question } of await listWaiting(database.queries, siteId)) {
    const page = question === null ? undefined : pages.get(questionKey(question));
    if (page === undefined || !(await setPage(database.queries, messageId, page))) continue;
    await jobs.enqueue(tellReaderJob, { messageId });
    count += 1;
  }
  return count;
}

/** Lets those be told whose question a deployment answers, by the test questions of the site. */
export async function findAnswered(
  deps: TellDeps,
  { siteId, deploymentId }: ReturnType<typeof findAnsweredJob.parse>,
): Promise<void> {
  const deployment = await findDeploymentDetails(deps.database.queries, siteId, deploymentId);
  const results = deployment?.report?.questions?.results ?? [];
  const answered = results.flatMap(({ question, isAnswered, pages: [page] = [] }) =>
    isAnswered && page !== undefined ? [{ question, page }] : [],
  );
  if (answered.length > 0) await tellWaiting(deps, siteId, answered);
}

/**
 * Tells a reader which page answers a question, if everybody may read it, and deletes the address.
 * @throws Error if the mail server does not accept it, or the page is not live yet, so that the
 *   queue retries
 */
export async function tellReader(
  deps: Pick<Deps, 'database' | 'config' | 'secret' | 'mailer' | 'liveSites'>,
  messageId: string,
): Promise<void> {
  const { queries } = deps.database;
  const waiting = await findWaiting(queries, messageId);
  const site = waiting && (await findSite(queries, waiting.siteId));
  if (!waiting || !site || waiting.page === null) return;
  const email = openSecret(deps.secret, 'waiting readers', waiting.address);
  const live = await deps.liveSites.find(site.slug);
  if (!live || !(await readPage(live.as('owner'), waiting.page)))
    throw new Error('The page that answers is not live.');
  if (email !== undefined) {
    const name = quotedName(site.name);
    const url = publicUrlOf(site, deps.config);
    // An address says nothing of who has it, so the mail names only what everybody may read.
    const page = await readPage(live, waiting.page);
    await deps.mailer?.send({
      to: email,
      subject: `Your question to ${name} has an answer`,
      text: [
        `You asked ${name}: ${quotedName((waiting.question ?? '').slice(0, MAX_QUESTION))}`,
        ...(page
          ? ['This page answers it now:', page.url]
          : ['It is answered now. Sign in and ask again:', url]),
        'This is the only message about it, and your address is deleted with it. If you left it for other questions there, or never did, delete it everywhere on this site:',
        `${url}/${FORGET_PATH}/${waiting.addressKey}`,
      ].join('\n\n'),
    });
  }
  await deleteWaiting(queries, messageId);
}

/**
 * Lets those be told who wait for an answer to a question that a page answers now.
 * @throws DocentError `site_not_found`, `page_not_found`
 */
async function closeQuestion(
  deps: TellDeps,
  actor: Actor,
  { projectId, questions, page }: { projectId: string; questions: readonly string[]; page: string },
): Promise<number> {
  const { id, slug } = await findPermittedSite(deps, actor, 'projects.write', projectId);
  const live = (await deps.liveSites.find(slug))?.as('owner');
  const target = live && (await readPage(live, page));
  if (!target) throw new DocentError('page_not_found', 'The live site has no such page.');
  const answered = questions.map((question) => ({ question, page: target.path }));
  return tellWaiting(deps, id, answered);
}

const closing = z
  .strictObject({
    questions: z
      .array(plainText(1, 1000))
      .min(1)
      .max(20)
      .describe('The question, in all wordings that the page answers.'),
    page: plainText(1, 500).describe('Path of the page of the live site that answers it.'),
  })
  .meta({ examples: [{ questions: ['How do I rotate a key?'], page: '/guides/keys' }] });

/** `POST /v1/analytics/{projectId}/assistant/questions/close` */
export function closeQuestionRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  operation({
    route: 'POST /v1/analytics/:projectId/assistant/questions/close',
    operationId: 'closeQuestion',
    summary: 'Tell readers that a question is answered',
    description:
      'Sends one message to each reader who asked the question, in these or the same words, got no answer, and left an address. The addresses are deleted with it.',
    permission: 'projects.write',
    body: closing,
    answer: z
      .object({ told: field.int('Number of readers who are told.') })
      .meta({ examples: [{ told: 3 }] }),
    run: async ({ actor, params, body }) => ({
      told: await closeQuestion(deps, actor, { ...params, ...body }),
    }),
  });
}
