import { sendHostnameMail, sendMail } from '../accounts/send-mail.ts';
import { findAnswered, tellReader } from '../assistant/waiting/tell-readers.ts';
import { readBundleSigningKey } from '../exports/make-export-bundle.ts';
import { failKilledExport, runExport } from '../exports/run-export.ts';
import { checkHostname } from '../hostnames/check-hostname.ts';
import type { Deps } from '../kernel/deps.ts';
import { repeat } from '../kernel/jobs/retry.ts';
import type { Closers } from '../lib/closers.ts';
import {
  checkHostnameJob,
  deliverStreamJob,
  deliverWebhookJob,
  emailChangeMailJob,
  exportSiteJob,
  findAnsweredJob,
  hostnameMailJob,
  publishSiteJob,
  readerMailJob,
  reportPullRequestJob,
  sendMailJob,
  syncGitSourceJob,
  syncPullRequestJob,
  tellReaderJob,
} from '../ports/jobs.ts';
import { failKilledDeployment, publishSite } from '../publishing/publish-site.ts';
import { syncGitSource } from '../publishing/sync-git-source.ts';
import { reportPullRequest } from '../pull-requests/reports/report-pull-request.ts';
import { syncPullRequest } from '../pull-requests/sync-pull-request.ts';
import { sendReaderMail } from '../readers/sign-in/mail-links.ts';
import { sendEmailChangeMail } from '../sign-in/change-email.ts';
import { deliverStream } from '../streams/deliver-stream.ts';
import { deliverWebhook, failKilledDelivery } from '../webhooks-out/deliver-webhook.ts';
import { backgroundTasks } from './background-tasks.ts';
import { startEmbedding } from './compose-search.ts';

/** Starts to process the jobs of every subject, and what workers repeat. */
export async function startWorkers(deps: Deps, closers: Closers): Promise<void> {
  const { config, jobs, logger } = deps;
  await startEmbedding(deps, closers);
  await jobs.work(
    checkHostnameJob,
    ({ hostname, siteId }) => checkHostname(deps, hostname, siteId),
    { concurrency: 4 },
  );
  await jobs.work(sendMailJob, (mail) => sendMail(deps, mail), { concurrency: 2 });
  await jobs.work(emailChangeMailJob, (mail) => sendEmailChangeMail(deps, mail), {
    concurrency: 1,
  });
  await jobs.work(readerMailJob, (mail) => sendReaderMail(deps, mail), { concurrency: 2 });
  await jobs.work(tellReaderJob, ({ messageId }) => tellReader(deps, messageId), {
    concurrency: 2,
  });
  await jobs.work(findAnsweredJob, (deployment) => findAnswered(deps, deployment), {
    concurrency: 1,
  });
  await jobs.work(hostnameMailJob, (mail) => sendHostnameMail(deps, mail), { concurrency: 1 });
  await jobs.work(
    deliverStreamJob,
    ({ streamId }, { signal }) => deliverStream(deps, streamId, signal),
    { concurrency: 4 },
  );
  await jobs.work(
    syncGitSourceJob,
    ({ sourceId }, { signal }) => syncGitSource(deps, sourceId, signal),
    { concurrency: 2 },
  );
  await jobs.work(
    deliverWebhookJob,
    ({ deliveryId }, context) => deliverWebhook(deps, deliveryId, context),
    {
      concurrency: 4,
      givenUp: ({ deliveryId }) => failKilledDelivery(deps, deliveryId),
    },
  );
  await jobs.work(syncPullRequestJob, (pull, context) => syncPullRequest(deps, pull, context), {
    concurrency: 2,
  });
  await jobs.work(
    reportPullRequestJob,
    (pull, { signal }) => reportPullRequest(deps, pull, signal),
    { concurrency: 2 },
  );
  await jobs.work(
    publishSiteJob,
    ({ deploymentId }, context) => publishSite(deps, deploymentId, context),
    {
      concurrency: config.publishing.perProcess,
      givenUp: ({ deploymentId }) => failKilledDeployment(deps, deploymentId),
    },
  );
  // A wrong key fails the start, not every export.
  await readBundleSigningKey(config);
  await jobs.work(exportSiteJob, ({ jobId }, context) => runExport(deps, jobId, context), {
    concurrency: config.exports.perProcess,
    givenUp: ({ jobId }) => failKilledExport(deps, jobId),
  });
  closers.add('background tasks', repeat(logger, backgroundTasks(deps)));
}
