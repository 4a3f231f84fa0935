import { type Action, type Actor, actorId, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { EventMessage, WebhookEvent, WebhookFormat } from '@docent/format/webhooks/events.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { sealSecret } from '../kernel/sealed-secrets.ts';
import { findActorSite } from '../kernel/sites/find-site.ts';
import { createWebhookSecret, formerOf } from '../outside/signed-webhook.ts';
import { type DeliverDeps, deliverWebhook } from './deliver-webhook.ts';
import {
  countWebhooks,
  type DeliveryRow,
  deleteWebhook,
  findDelivery,
  findWebhook,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from './emit/webhook-rows.ts';

type WebhookDeps = DeliverDeps & Pick<Deps, 'config' | 'jobs'>;

/** Maximum webhooks of an organization. */
const MAX_WEBHOOKS = 20;

interface WebhookInput {
  name: string;
  url: string;
  format: WebhookFormat;
  events: WebhookEvent[];
  enabled: boolean;
  /** Site whose events are sent; null for all sites. */
  projectId: string | null;
}

/**
 * Returns the webhooks of the organization, newest first. @throws DocentError those of
 * `requirePermission`, `invalid_request`
 */
export async function listOrganizationWebhooks(
  deps: WebhookDeps,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<WebhookRow>> {
  requirePermission(actor, 'webhooks.read');
  return readPage(
    request,
    (slice) => listWebhooks(deps.database.queries, actor.organizationId, slice),
    byCreation,
  );
}

/**
 * Creates a webhook.
 * @returns it, with the secret that signs its deliveries
 * @throws DocentError `site_not_found`; `invalid_request` if the organization has too many
 */
export async function createWebhook(
  deps: WebhookDeps,
  actor: Actor,
  { projectId, ...input }: WebhookInput,
): Promise<{ webhook: WebhookRow; secret: string }> {
  requirePermission(actor, 'webhooks.write');
  const { queries } = deps.database;
  const { organizationId } = actor;
  const siteId = await siteIdOf(deps, actor, projectId);
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  const secret = createWebhookSecret();
  const sealed = sealSecret(deps.secret, 'webhooks', secret);
  await queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if ((await countWebhooks(transaction, organizationId)) >= MAX_WEBHOOKS)
      throw new DocentError(
        'invalid_request',
        `An organization can have ${MAX_WEBHOOKS} webhooks; delete one first.`,
      );
    const webhook = {
      id,
      organizationId,
      siteId,
      ...input,
      secret: sealed,
      madeBy: actorId(actor),
      createdAt,
    };
    await insertWebhook(transaction, webhook);
  });
  return { webhook: await webhookOf(deps, actor, 'webhooks.write', id), secret };
}

/**
 * Changes the given properties and keeps the others.
 * @throws DocentError `webhook_not_found`, `site_not_found`
 */
export async function changeWebhook(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
  { projectId, ...changes }: { [Name in keyof WebhookInput]?: WebhookInput[Name] | undefined },
): Promise<WebhookRow> {
  await webhookOf(deps, actor, 'webhooks.write', id);
  const siteId = projectId === undefined ? undefined : await siteIdOf(deps, actor, projectId);
  await updateWebhook(deps.database.queries, id, { ...changes, siteId });
  return webhookOf(deps, actor, 'webhooks.write', id);
}

/**
 * Replaces the secret. The previous one signs too for a day. @throws DocentError
 * `webhook_not_found`
 */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const before = await webhookOf(deps, actor, 'webhooks.write', id);
  const secret = createWebhookSecret();
  const former = formerOf(before, deps.clock.now());
  await updateWebhook(deps.database.queries, id, {
    secret: sealSecret(deps.secret, 'webhooks', secret),
    ...former,
  });
  return { webhook: await webhookOf(deps, actor, 'webhooks.write', id), secret };
}

/**
 * Deletes a webhook with its deliveries; pending ones are not sent. @throws DocentError
 * `webhook_not_found`
 */
export async function removeWebhook(deps: WebhookDeps, actor: Actor, id: string): Promise<void> {
  await webhookOf(deps, actor, 'webhooks.write', id);
  await deleteWebhook(deps.database.queries, id);
}

/**
 * Sends a test now. @returns the delivery with the answer @throws DocentError `webhook_not_found`
 */
export async function testWebhook(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
): Promise<DeliveryRow> {
  const webhook = await webhookOf(deps, actor, 'webhooks.write', id);
  const data = { title: webhook.name, url: null, projectId: null, site: null };
  const message: EventMessage = { type: 'test', timestamp: deps.clock.now().toISOString(), data };
  return sendNow(deps, webhook, message);
}

/**
 * Sends an event again, now and under its id. @throws DocentError `webhook_not_found`,
 * `delivery_not_found`
 */
export async function replayDelivery(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const webhook = await webhookOf(deps, actor, 'webhooks.write', id);
  const delivery = isUlid(deliveryId)
    ? await findDelivery(deps.database.queries, deliveryId)
    : undefined;
  if (delivery?.webhookId !== webhook.id)
    throw new DocentError(
      'delivery_not_found',
      'The webhook has no such delivery; deliveries are kept for 30 days.',
    );
  return sendNow(deps, webhook, delivery.message, delivery.messageId);
}

/**
 * Returns the deliveries of a webhook, newest first. @throws DocentError `webhook_not_found`,
 * `invalid_request`
 */
export async function listWebhookDeliveries(
  deps: WebhookDeps,
  actor: Actor,
  id: string,
  request: PageRequest,
): Promise<ListPage<DeliveryRow>> {
  const webhook = await webhookOf(deps, actor, 'webhooks.read', id);
  return readPage(
    request,
    (slice) => listDeliveries(deps.database.queries, webhook.id, slice),
    byCreation,
  );
}

/** One attempt, whose answer the caller waits for. */
async function sendNow(
  deps: WebhookDeps,
  webhook: WebhookRow,
  message: EventMessage,
  messageId?: string,
): Promise<DeliveryRow> {
  if (!webhook.enabled)
    throw new DocentError('invalid_request', 'The webhook is turned off; turn it on first.');
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  const { queries } = deps.database;
  await insertDelivery(queries, {
    id,
    webhookId: webhook.id,
    messageId: messageId ?? `msg_${id}`,
    message,
    createdAt,
  });
  await deliverWebhook(deps, id, { signal: new AbortController().signal, lastAttempt: true });
  return (await findDelivery(queries, id)) as DeliveryRow;
}

async function siteIdOf(
  deps: WebhookDeps,
  actor: Actor,
  projectId: string | null,
): Promise<string | null> {
  return projectId === null ? null : (await findActorSite(deps, actor, projectId)).id;
}

async function webhookOf(
  deps: WebhookDeps,
  actor: Actor,
  action: Action,
  id: string,
): Promise<WebhookRow> {
  requirePermission(actor, action);
  const webhook = isUlid(id) ? await findWebhook(deps.database.queries, id) : undefined;
  if (webhook?.organizationId !== actor.organizationId)
    throw new DocentError(
      'webhook_not_found',
      'The organization has no such webhook; list its webhooks.',
    );
  return webhook;
}
