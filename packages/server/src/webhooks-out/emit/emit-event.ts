import type { EventMessage, WebhookEvent } from '@docent/format/webhooks/events.ts';
import type { Deps } from '../../kernel/deps.ts';
import { createUlid } from '../../kernel/ids.ts';
import type { QueryRunner, Transaction } from '../../ports/database.ts';
import { deliverWebhookJob } from '../../ports/jobs.ts';
import { countPendingDeliveries, insertDelivery, listReceivers } from './webhook-rows.ts';

export type EmitDeps = Pick<Deps, 'jobs' | 'clock' | 'config'>;

/** A receiver that answers nothing must not fill the database. */
const MAX_PENDING = 1000;

interface SiteEvent {
  type: WebhookEvent;
  siteId: string;
  title: string;
  /** Path below the pages of the site in the dashboard; null for none. */
  path: string | null;
  details: Readonly<Record<string, unknown>>;
}

/** An event of an organization, or of one of its sites. */
type OrganizationEvent = Omit<SiteEvent, 'siteId'> & {
  organizationId: string;
  siteId: string | null;
};

/**
 * Sends an event of a site to the webhooks of its organization, later. In a transaction, it is sent
 * if and only if that commits.
 * @param event `details` go into `data` of the message
 */
export async function emitEvent(
  deps: EmitDeps,
  transaction: Transaction,
  event: SiteEvent,
): Promise<void> {
  const site = await transaction
    .selectFrom('sites')
    .select(['organization_id as organizationId', 'slug'])
    .where('id', '=', event.siteId)
    .executeTakeFirst();
  if (!site) return;
  const { organizationId, slug } = site;
  const path = event.path === null ? null : `${slug}/${event.path}`;
  await emitOrganizationEvent(deps, transaction, { ...event, organizationId, path });
}

/**
 * Sends an event of an organization as `emitEvent` does that of a site.
 * @param event `path` is below the pages of the organization
 */
export async function emitOrganizationEvent(
  { jobs, clock, config }: EmitDeps,
  transaction: Transaction,
  { type, organizationId, siteId, title, path, details }: OrganizationEvent,
): Promise<void> {
  const receivers = await listReceivers(transaction, { organizationId, siteId, event: type });
  if (receivers.length === 0) return;
  const { organization, site } = await findNames(transaction, organizationId, siteId);
  const createdAt = clock.now();
  const url = path === null ? null : `${config.publicUrl}/dashboard/${organization}/${path}`;
  const data = { title, url, projectId: siteId, site, ...details };
  const message: EventMessage = { type, timestamp: createdAt.toISOString(), data };
  for (const webhookId of receivers) {
    if ((await countPendingDeliveries(transaction, webhookId)) >= MAX_PENDING) continue;
    const id = createUlid(createdAt);
    await insertDelivery(transaction, {
      id,
      webhookId,
      messageId: `msg_${id}`,
      message,
      createdAt,
    });
    await jobs.enqueue(deliverWebhookJob, { deliveryId: id }, transaction);
  }
}

async function findNames(queries: QueryRunner, organizationId: string, siteId: string | null) {
  return queries
    .selectFrom('organizations')
    .leftJoin('sites', (join) => join.on('sites.id', '=', siteId))
    .select(['organizations.slug as organization', 'sites.slug as site'])
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow();
}

/** Sends how a deployment goes; one of a preview that is ready is another event. */
export async function emitDeployment(
  deps: EmitDeps,
  transaction: Transaction,
  outcome: 'started' | 'succeeded' | 'failed',
  deploymentId: string,
): Promise<void> {
  const deployment = await transaction
    .selectFrom('deployments')
    .leftJoin('previews', 'previews.id', 'deployments.preview_id')
    .select([
      'deployments.site_id as siteId',
      'deployments.summary',
      'deployments.git',
      'previews.name as preview',
    ])
    .where('deployments.id', '=', deploymentId)
    .executeTakeFirst();
  if (!deployment) return;
  const { siteId, summary, git, preview } = deployment;
  const isPreview = outcome === 'succeeded' && preview !== null;
  const commit = git && { sha: git.sha, ref: git.ref, message: git.message, author: git.author };
  await emitEvent(deps, transaction, {
    type: isPreview ? 'preview.ready' : `deployment.${outcome}`,
    siteId,
    title: preview ?? (git?.message || summary),
    path: `deployments/${deploymentId}`,
    details: { deploymentId, preview, summary, commit },
  });
}
