import type { Actor } from '@docent/format/access/may.ts';
import { oneLine } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { textAt, valueAt } from '@docent/format/json-value.ts';
import { isSameRepository, readPullRequestMessage } from '@docent/format/sources/pull-request.ts';
import { pushedRefs } from '@docent/format/sources/pushed-refs.ts';
import { secretsOf } from '../github-apps/call-as-app.ts';
import { appThatSends, noteAppMessage } from '../github-apps/use-app.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, isUlid } from '../kernel/ids.ts';
import { openSecret, sealSecret } from '../kernel/sealed-secrets.ts';
import { createWebhookSecret } from '../outside/signed-webhook.ts';
import { syncGitSourceJob, syncPullRequestJob } from '../ports/jobs.ts';
import { logDelivery, noteDelivery } from './delivery-queries.ts';
import { branchRef } from './git-remote.ts';
import { type SourceName, sourceOf } from './manage-git-source.ts';
import { notePullRequest } from './note-pull-requests.ts';
import { findGitSource, type GitSourceRow, listSourcesOfApp, updateGitSource } from './queries.ts';
import { type Delivery, isWrittenAsJson, labelsOf, verifyDelivery } from './verify-delivery.ts';

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

/** What followed from a delivery, and why nothing did. */
interface DeliveryResult {
  outcome: DeliveryOutcome;
  reason: string | null;
}

const NOT_OURS: DeliveryResult = {
  outcome: 'ignored',
  reason: 'No site is published from the repository.',
};

/**
 * Takes a message that something was pushed, or about a pull request. It only leads to a look at
 * the repository: what it says is not trusted.
 * @throws DocentError `git_source_not_found`; `malformed_json`; `unauthenticated` without a valid signature
 */
export async function receiveDelivery(
  deps: WebhookDeps,
  sourceId: string,
  delivery: Delivery,
): Promise<DeliveryResult> {
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
  const isWhole = !isWrittenAsJson(delivery) || readMessage(delivery) !== undefined;
  if (keys !== undefined && isWhole) return takeDelivery(deps, source, keys, delivery);
  const reason = keys
    ? 'It is not JSON, or only a part of it arrived.'
    : secret === undefined
      ? 'The webhook has no secret yet.'
      : 'It has no valid signature.';
  await logDelivery(queries, { ...entryOf(source, delivery, now), outcome: 'refused', reason });
  if (keys) throw new DocentError('malformed_json', `The delivery cannot be read. ${reason}`);
  throw new DocentError(
    'unauthenticated',
    'The delivery has no valid signature; set the secret of the Git source as that of the webhook.',
  );
}

/** Logs a delivery that is too large to be read, so that its owner sees why nothing followed. */
export async function logLargeDelivery(
  { database, clock }: WebhookDeps,
  sourceId: string,
  headers: Delivery['headers'],
): Promise<void> {
  const { queries } = database;
  const source = isUlid(sourceId) ? await findGitSource(queries, sourceId) : undefined;
  if (!source) return;
  const entry = entryOf(source, { headers, body: new Uint8Array() }, clock.now());
  const reason = 'It is too large to be read; the next look at the branch finds the push.';
  await logDelivery(queries, { ...entry, outcome: 'refused', reason });
}

/**
 * Takes a message of an app at GitHub, for all repositories that it is installed for.
 * @throws DocentError `github_app_not_found`; `unauthenticated` without a valid signature
 */
export async function receiveAppDelivery(
  deps: WebhookDeps,
  githubAppId: string,
  delivery: Delivery,
): Promise<DeliveryResult> {
  const { queries } = deps.database;
  const app = await appThatSends(deps, githubAppId);
  const secret = secretsOf(deps, app)?.webhookSecret;
  const now = deps.clock.now();
  const keys = secret ? verifyDelivery(delivery, secret, now, ['x-hub-signature-256']) : undefined;
  if (keys === undefined)
    throw new DocentError('unauthenticated', 'The delivery has no valid signature of the app.');
  await noteAppMessage(deps, app.id);
  const repository = textAt(valueAt(readMessage(delivery), 'repository'), 'full_name');
  const sources = repository === undefined ? [] : await listSourcesOfApp(queries, app.id);
  const results: DeliveryResult[] = [];
  for (const source of sources)
    if (isSameRepository(source.url, repository ?? ''))
      results.push(await takeDelivery(deps, source, keys, delivery));
  const rank = ({ outcome }: DeliveryResult) => DELIVERY_OUTCOMES.indexOf(outcome);
  const [first = NOT_OURS] = results.toSorted((a, b) => rank(a) - rank(b));
  return first;
}

/** @throws DocentError `delivery_ignored`, `delivery_repeated` */
export function requireAccepted({ outcome, reason }: DeliveryResult): void {
  if (outcome === 'ignored')
    throw new DocentError('delivery_ignored', `Nothing follows from the delivery. ${reason}`);
  if (outcome === 'repeated')
    throw new DocentError('delivery_repeated', 'This delivery was received before.');
}

/** The entry of a delivery in the log of a source: nothing of its body, and no signature. */
function entryOf({ id: sourceId }: GitSourceRow, delivery: Delivery, now: Date) {
  return {
    id: createUlid(now),
    sourceId,
    ...labelsOf(delivery),
    pullNumber: null,
    receivedAt: now,
  };
}

/** @param keys identify the delivery */
async function takeDelivery(
  deps: WebhookDeps,
  source: GitSourceRow,
  keys: readonly string[],
  delivery: Delivery,
): Promise<DeliveryResult> {
  const { queries } = deps.database;
  const now = deps.clock.now();
  const message = readMessage(delivery);
  const pull = readPullRequestMessage(message);
  const entry = entryOf(source, delivery, now);
  const event = entry.event ?? (oneLine(textAt(message, 'eventType') ?? '', 100) || null);
  const log = async (result: DeliveryResult) => {
    const pullNumber = pull?.number ?? null;
    await logDelivery(queries, { ...entry, event, pullNumber, ...result });
    return result;
  };
  if (!(await noteDelivery(queries, source.id, keys, now)))
    return log({ outcome: 'repeated', reason: null });
  await updateGitSource(queries, source.id, { webhookAt: now });
  const reason = pull ? await notePullRequest(deps, source, pull) : notePush(source, message);
  if (reason !== undefined) return log({ outcome: 'ignored', reason });
  const result = await log({ outcome: 'accepted', reason: null });
  const sourceId = source.id;
  if (pull) await deps.jobs.enqueue(syncPullRequestJob, { sourceId, number: pull.number });
  else await deps.jobs.enqueue(syncGitSourceJob, { sourceId });
  return result;
}

/** @returns why nothing follows from a message about a push; undefined if a look does */
function notePush(source: GitSourceRow, message: unknown): string | undefined {
  if (!source.automatic) return 'Pushes are not published automatically.';
  const refs = pushedRefs(message);
  if (refs === undefined || refs.includes(branchRef(source))) return undefined;
  return refs.every((ref) => ref.startsWith('refs/tags/'))
    ? 'It is about a tag.'
    : 'It is about another branch.';
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
