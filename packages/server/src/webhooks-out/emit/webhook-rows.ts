import type { EventMessage } from '@docent/format/webhooks/events.ts';
import { type Selectable, sql } from 'kysely';
import { actorIn, type NamedActor } from '../../kernel/access/named-actors.ts';
import {
  allOf,
  columnsOf,
  countRows,
  type Fields,
  firstOf,
  hasRow,
  type ListSlice,
  onPage,
} from '../../kernel/db/query-parts.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { Tables } from '../../ports/tables.ts';

type WebhookFields = Fields<Selectable<Tables['webhooks']>>;

/** A stored webhook, with who created it. Secrets are encrypted. */
export type WebhookRow = WebhookFields & { maker: NamedActor | null };
export type DeliveryRow = Fields<Selectable<Tables['webhook_deliveries']>>;

const selectWebhooks = (queries: QueryRunner) =>
  queries.selectFrom('webhooks').selectAll().select(actorIn('made_by').as('maker'));

export async function insertWebhook(
  queries: QueryRunner,
  webhook: Omit<WebhookFields, 'formerSecret' | 'formerUntil'>,
): Promise<void> {
  await queries.insertInto('webhooks').values(columnsOf(webhook)).execute();
}

/** Returns the webhooks of an organization, newest first. */
export async function listWebhooks(
  queries: QueryRunner,
  organizationId: string,
  slice: ListSlice,
): Promise<WebhookRow[]> {
  const page = onPage(slice, ['webhooks.created_at', 'webhooks.id']);
  return allOf(selectWebhooks(queries).where('organization_id', '=', organizationId).$call(page));
}

export async function countWebhooks(queries: QueryRunner, organizationId: string): Promise<number> {
  return countRows(queries.selectFrom('webhooks').where('organization_id', '=', organizationId));
}

export async function findWebhook(
  queries: QueryRunner,
  id: string,
): Promise<WebhookRow | undefined> {
  return firstOf(selectWebhooks(queries).where('id', '=', id));
}

/** Returns the webhooks that are to be sent an event of an organization, or of one of its sites. */
export async function listReceivers(
  queries: QueryRunner,
  {
    organizationId,
    siteId,
    event,
  }: { organizationId: string; siteId: string | null; event: string },
): Promise<string[]> {
  const rows = await queries
    .selectFrom('webhooks')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('enabled', 'is', true)
    .where((where) => where.or([where('site_id', 'is', null), where('site_id', '=', siteId)]))
    .where(sql<boolean>`${event} = ANY (events)`)
    .execute();
  return rows.map(({ id }) => id);
}

export async function updateWebhook(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<WebhookFields, 'id' | 'organizationId' | 'createdAt'>>,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  await queries.updateTable('webhooks').set(columnsOf(changes)).where('id', '=', id).execute();
}

/** Makes somebody else responsible for the webhooks that a person created in an organization. */
export async function takeOverWebhooksBy(
  queries: QueryRunner,
  { organizationId, userId }: { organizationId: string; userId: string },
  heir: string,
): Promise<{ id: string; name: string }[]> {
  const update = queries
    .updateTable('webhooks')
    .set({ made_by: heir })
    .where('made_by', '=', userId);
  return update.where('organization_id', '=', organizationId).returning(['id', 'name']).execute();
}

export async function deleteWebhook(queries: QueryRunner, id: string): Promise<void> {
  await queries.deleteFrom('webhooks').where('id', '=', id).execute();
}

export async function insertDelivery(
  queries: QueryRunner,
  {
    message,
    ...delivery
  }: Pick<DeliveryRow, 'id' | 'webhookId' | 'messageId' | 'createdAt'> & { message: EventMessage },
): Promise<void> {
  const row = columnsOf({ ...delivery, event: message.type, state: 'pending' as const });
  await queries
    .insertInto('webhook_deliveries')
    .values({ ...row, message: JSON.stringify(message) })
    .execute();
}

export async function countPendingDeliveries(
  queries: QueryRunner,
  webhookId: string,
): Promise<number> {
  return countRows(
    queries
      .selectFrom('webhook_deliveries')
      .where('webhook_id', '=', webhookId)
      .where('state', '=', 'pending'),
  );
}

/** Returns the deliveries of a webhook, newest first. */
export async function listDeliveries(
  queries: QueryRunner,
  webhookId: string,
  slice: ListSlice,
): Promise<DeliveryRow[]> {
  const page = onPage(slice, ['webhook_deliveries.created_at', 'webhook_deliveries.id']);
  return allOf(
    queries
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .$call(page),
  );
}

export async function findDelivery(
  queries: QueryRunner,
  id: string,
): Promise<DeliveryRow | undefined> {
  return firstOf(queries.selectFrom('webhook_deliveries').selectAll().where('id', '=', id));
}

/** @returns whether it was still pending */
export async function updateDelivery(
  queries: QueryRunner,
  id: string,
  changes: Partial<
    Pick<DeliveryRow, 'state' | 'attempts' | 'status' | 'answer' | 'error' | 'endedAt'>
  >,
): Promise<boolean> {
  const update = queries.updateTable('webhook_deliveries').set(columnsOf(changes));
  return hasRow(update.where('id', '=', id).where('state', '=', 'pending').returning('id'));
}

/** Deletes deliveries from before that time. */
export async function deleteOldWebhookDeliveries(
  queries: QueryRunner,
  before: Date,
): Promise<void> {
  await queries.deleteFrom('webhook_deliveries').where('created_at', '<', before).execute();
}
