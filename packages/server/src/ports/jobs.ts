import * as z from 'zod';
import type { JobDefinition } from './job-queue.ts';

/** A job, its payload, and how it is retried. */
function job<Payload extends z.ZodType<object>>(
  name: string,
  payload: Payload,
  retries: Omit<JobDefinition<z.infer<Payload>>, 'name' | 'parse'>,
): JobDefinition<z.infer<Payload>> {
  return { name, parse: (value) => payload.parse(value), ...retries };
}

const MAIL_RETRIES = {
  retryLimit: 8,
  retryDelaySeconds: 10,
  maxRetryDelaySeconds: 1800,
  heartbeatSeconds: 60,
};

/**
 * Builds an uploaded source and makes it live; `deploymentId` is the turn of a row in
 * `deployments`.
 */
export const publishSiteJob = job('publish-site', z.object({ deploymentId: z.string() }), {
  // Most retries are for killed workers; attempts that end with an error are counted by the
  // deployment itself.
  retryLimit: 20,
  retryDelaySeconds: 5,
  maxRetryDelaySeconds: 60,
  heartbeatSeconds: 30,
});

/** Packs a published site into a bundle; `jobId` is the id of the row in `export_jobs`. */
export const exportSiteJob = job('export-site', z.object({ jobId: z.string() }), {
  // Most retries are for killed workers; attempts that end with an error are counted by the job
  // itself.
  retryLimit: 20,
  retryDelaySeconds: 5,
  maxRetryDelaySeconds: 60,
  heartbeatSeconds: 30,
});

/**
 * Computes the vectors of a published site; `deploymentId` is the id of the row in `deployments`.
 */
export const embedSiteJob = job('embed-site', z.object({ deploymentId: z.string() }), {
  retryLimit: 5,
  retryDelaySeconds: 60,
  heartbeatSeconds: 30,
});

/**
 * Checks by DNS whether a site has proven a hostname; the row in `hostname_claims` has the result
 * and the next due time.
 */
export const checkHostnameJob = job(
  'check-hostname',
  z.object({ hostname: z.string(), siteId: z.string() }),
  {
    retryLimit: 3,
    retryDelaySeconds: 30,
    heartbeatSeconds: 30,
  },
);

/**
 * Delivers the pending events of an analytics stream; the row in `analytics_streams` has the
 * position and the next due time.
 */
export const deliverStreamJob = job('deliver-stream', z.object({ streamId: z.string() }), {
  retryLimit: 3,
  retryDelaySeconds: 10,
  heartbeatSeconds: 30,
});

/**
 * Sends an event to a webhook; the row in `webhook_deliveries` has the event and the answers.
 * Retried for about a day.
 */
export const deliverWebhookJob = job('deliver-webhook', z.object({ deliveryId: z.string() }), {
  retryLimit: 16,
  retryDelaySeconds: 15,
  maxRetryDelaySeconds: 4 * 3600,
  heartbeatSeconds: 60,
});

/**
 * Looks at the branch of a Git source and deploys what changed; the row in `git_sources` has what
 * was seen and the next due time.
 */
export const syncGitSourceJob = job('sync-git-source', z.object({ sourceId: z.string() }), {
  retryLimit: 3,
  retryDelaySeconds: 10,
  heartbeatSeconds: 30,
});

/**
 * Looks at a pull request of a Git source, and deploys its preview or ends it; the row in
 * `pull_requests` has what was seen.
 */
export const syncPullRequestJob = job(
  'sync-pull-request',
  z.object({ sourceId: z.string(), number: z.number() }),
  {
    retryLimit: 3,
    retryDelaySeconds: 10,
    heartbeatSeconds: 30,
  },
);

/**
 * Says at the server of a repository what became of a pull request. Outages of that server are
 * waited for, for about a day.
 */
export const reportPullRequestJob = job(
  'report-pull-request',
  z.object({ sourceId: z.string(), number: z.number() }),
  {
    retryLimit: 30,
    retryDelaySeconds: 20,
    maxRetryDelaySeconds: 3600,
    heartbeatSeconds: 60,
  },
);

/** Tells a person that the proof of a hostname is missing, or that the hostname stopped working. */
export const hostnameMailJob = job(
  'hostname-mail',
  z.object({
    hostname: z.string(),
    siteId: z.string(),
    event: z.enum(['missing', 'lapsed']),
    email: z.string(),
  }),
  MAIL_RETRIES,
);

/**
 * Sends mail about a change of the address that a person signs in with: a link to the new one, and
 * notices to the former one.
 */
export const emailChangeMailJob = job(
  'email-change-mail',
  z.object({
    event: z.enum(['confirm', 'requested', 'changed']),
    userId: z.string(),
    former: z.string(),
    email: z.string(),
  }),
  MAIL_RETRIES,
);

/** Finds out which readers the live deployment of a site answers who wait for an answer. */
export const findAnsweredJob = job(
  'find-answered',
  z.object({ siteId: z.string(), deploymentId: z.string() }),
  { retryLimit: 5, retryDelaySeconds: 60, heartbeatSeconds: 30 },
);

/** Tells a reader that a question is answered; the row in `waiting_readers` has the address. */
export const tellReaderJob = job('tell-reader', z.object({ messageId: z.string() }), MAIL_RETRIES);

/** Sends a link that signs a reader in, or invites a reader. */
export const readerMailJob = job(
  'reader-mail',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('link'),
      siteId: z.string(),
      email: z.string(),
      redirect: z.string(),
    }),
    z.object({ kind: z.literal('invitation'), siteId: z.string(), email: z.string() }),
  ]),
  MAIL_RETRIES,
);

/**
 * Sends a mail. Its content, secrets above all, is created on sending and is never stored in the
 * queue.
 */
export const sendMailJob = job(
  'send-mail',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('invitation'), invitationId: z.string() }),
    z.object({ kind: z.literal('password-reset'), email: z.string() }),
  ]),
  MAIL_RETRIES,
);
