import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { textAt, valueAt } from '@docent/format/json-value.ts';
import { isSameRepository, readPullRequestMessage } from '@docent/format/sources/pull-request.ts';
import { pushedRefs } from '@docent/format/sources/pushed-refs.ts';
import { findGitHubApp, updateGitHubApp } from '../github-apps/app-queries.ts';
import { secretsOf } from '../github-apps/call-as-app.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';
import { openSecret, sealSecret } from '../kernel/sealed-secrets.ts';
import { createWebhookSecret } from '../outside/signed-webhook.ts';
import { syncGitSourceJob } from '../ports/jobs.ts';
import { noteDelivery } from './delivery-queries.ts';
import { branchRef } from './git-remote.ts';
import { type SourceName, sourceOf } from './manage-git-source.ts';
import { notePullRequest } from './note-pull-requests.ts';
import { findGitSource, type GitSourceRow, listSourcesOfApp, updateGitSource } from './queries.ts';
import { type Delivery, verifyDelivery } from './verify-delivery.ts';

type WebhookDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'jobs' | 'secret'>;

/**
 * What became of a delivery: it leads to a look at the branch, is about something else, or came
 * before.
 */
export const DELIVERY_OUTCOMES = ['accepted', 'ignored', 'repeated'] as const;
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Returns the address that the server of a repository sends its webhooks to. */
export function webhookUrlOf(
  { config }: Pick<Deps, 'config'>,
  { id }: Pick<GitSourceRow, 'id'>,
): string {
  return `${config.publicUrl}/v1/webhooks/git/${id}`;
}

/**
 * Takes a message that something was pushed, or about a pull request. It only leads to a look at
 * the repository: what it says is not trusted.
 * @throws DocentError `git_source_not_found`; `unauthenticated` without a valid signature
 */
export async function receiveDelivery(
  deps: WebhookDeps,
  sourceId: string,
  delivery: Delivery,
): Promise<DeliveryOutcome> {
  const { queries } = deps.database;
  const source = isUlid(sourceId) ? await findGitSource(queries, sourceId) : undefined;
  if (!source)
    throw new DocentError(
      'git_source_not_found',
      'There is no such Git source; take the address from its page.',
    );
  const secret =
    source.webhookSecret === null
      ? undefined
      : openSecret(deps.secret, 'Git sources', source.webhookSecret);
  const now = deps.clock.now();
  const keys = secret === undefined ? undefined : verifyDelivery(delivery, secret, now);
  if (keys === undefined)
    throw new DocentError(
      'unauthenticated',
      'The delivery has no valid signature; set the secret of the Git source as that of the webhook.',
    );
  return takeDelivery(deps, source, keys, readMessage(delivery));
}

/**
 * Takes a message of an app at GitHub, for all repositories that it is installed for.
 * @throws DocentError `github_app_not_found`; `unauthenticated` without a valid signature
 */
export async function receiveAppDelivery(
  deps: WebhookDeps,
  githubAppId: string,
  delivery: Delivery,
): Promise<DeliveryOutcome> {
  const { queries } = deps.database;
  const app = isUlid(githubAppId) ? await findGitHubApp(queries, githubAppId) : undefined;
  if (!app) throw new DocentError('github_app_not_found', 'There is no such GitHub App.');
  const secret = secretsOf(deps, app)?.webhookSecret;
  const now = deps.clock.now();
  const keys = secret ? verifyDelivery(delivery, secret, now, ['x-hub-signature-256']) : undefined;
  if (keys === undefined)
    throw new DocentError('unauthenticated', 'The delivery has no valid signature of the app.');
  await updateGitHubApp(queries, app.id, { webhookAt: now });
  const message = readMessage(delivery);
  const repository = textAt(valueAt(message, 'repository'), 'full_name');
  const sources = repository === undefined ? [] : await listSourcesOfApp(queries, app.id);
  const outcomes = new Set<DeliveryOutcome>();
  for (const source of sources)
    if (isSameRepository(source.url, repository ?? ''))
      outcomes.add(await takeDelivery(deps, source, keys, message));
  return DELIVERY_OUTCOMES.find((outcome) => outcomes.has(outcome)) ?? 'ignored';
}

/** @throws DocentError `delivery_ignored`, `delivery_repeated` */
export function requireAccepted(outcome: DeliveryOutcome): void {
  if (outcome === 'ignored')
    throw new DocentError(
      'delivery_ignored',
      'The delivery is about another branch or repository, or nothing is published automatically.',
    );
  if (outcome === 'repeated')
    throw new DocentError('delivery_repeated', 'This delivery was received before.');
}

/** @param keys identify the delivery */
async function takeDelivery(
  deps: WebhookDeps,
  source: GitSourceRow,
  keys: readonly string[],
  message: unknown,
): Promise<DeliveryOutcome> {
  const { queries } = deps.database;
  const now = deps.clock.now();
  if (!(await noteDelivery(queries, source.id, keys, now))) return 'repeated';
  await updateGitSource(queries, source.id, { webhookAt: now });
  const pull = readPullRequestMessage(message);
  if (pull) return (await notePullRequest(deps, source, pull)) ? 'accepted' : 'ignored';
  const refs = pushedRefs(message);
  if (!source.automatic || (refs !== undefined && !refs.includes(branchRef(source))))
    return 'ignored';
  await deps.jobs.enqueue(syncGitSourceJob, { sourceId: source.id });
  return 'accepted';
}

function readMessage({ headers, body }: Delivery): unknown {
  const text = Buffer.from(body).toString('utf8');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
  } catch {
    return undefined;
  }
}

/**
 * Makes another secret for the webhook of a source; the previous one is no longer accepted.
 * @returns the secret, which is shown only now, and the address
 * @throws DocentError `site_not_found`, `git_source_not_found`
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  actor: Actor,
  name: SourceName,
): Promise<{ url: string; secret: string }> {
  const source = await sourceOf(deps, actor, 'git-sources.write', name);
  // In the form of Standard Webhooks; other schemes take it as a text.
  const secret = createWebhookSecret();
  await updateGitSource(deps.database.queries, source.id, {
    webhookSecret: sealSecret(deps.secret, 'Git sources', secret),
  });
  return { url: webhookUrlOf(deps, source), secret };
}
