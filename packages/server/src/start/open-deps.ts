import { join } from 'node:path';
import { createAccounts } from '../adapters/accounts/better-auth.ts';
import { createSqlAnalyticsStore } from '../adapters/analytics-store/sql.ts';
import { loadOrCreateSecret } from '../adapters/blob-store/secret-file.ts';
import { createExtractiveModel } from '../adapters/chat-model/extractive.ts';
import { createNodeDnsLookup } from '../adapters/dns-lookup/node-dns.ts';
import { openSystemGit } from '../adapters/git/system-git.ts';
import { createPgBossQueue } from '../adapters/job-queue/pg-boss.ts';
import { createVale } from '../adapters/prose-linter/vale.ts';
import { createAnalytics } from '../analytics/analytics.ts';
import { createAnswerNotices } from '../assistant/announce-answers.ts';
import { createSettingsCache } from '../assistant/assistant-settings.ts';
import { createModelUsage } from '../assistant/model-usage.ts';
import { createThreadTurns } from '../assistant/thread-turns.ts';
import { createThreadWrites } from '../assistant/thread-writes.ts';
import { databaseThreads } from '../assistant/threads.ts';
import { createInstallationTokens } from '../github-apps/installation-tokens.ts';
import { createAccountable } from '../kernel/access/accountable.ts';
import { createKeyCache } from '../kernel/access/key-cache.ts';
import { createPasswords } from '../kernel/access/passwords.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import type { Closers } from '../lib/closers.ts';
import { createHostCalls } from '../outside/host-calls.ts';
import { createReaderSessions } from '../readers/sessions/reader-sessions.ts';
import { createProviderDocuments } from '../readers/sign-in/provider-documents.ts';
import { createReaderTokens } from '../readers/sign-in/reader-tokens.ts';
import { createReaderStore } from '../readers/store/database-store.ts';
import { ruledSearch } from '../search/ruled-search.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { singleSignOn } from '../sign-in/single-sign-on.ts';
import { openSiteSearch } from './compose-search.ts';
import type { Traced } from './compose-telemetry.ts';
import {
  logModelNote,
  openBlobs,
  openEvents,
  openFurtherModels,
  openLimiter,
  openMailer,
  openModel,
  openSiteCache,
} from './open-adapters.ts';

/** What the parts of a platform are opened with. */
export interface Opening {
  logger: Deps['logger'];
  closers: Closers;
  parts: Partial<Pick<Deps, 'model'>>;
  processId: string;
  traced: Traced;
  database: Deps['database'];
}

/**
 * Creates the adapters that the settings name, and what use cases keep in memory. Queries nothing,
 * because the database may not be open yet.
 * @returns also what starts the job queue, once it is
 */
export async function openDeps(config: Config, opening: Opening) {
  const { logger, closers, processId, traced, database } = opening;
  const clock = { now: () => new Date() };
  const secret =
    config.secret.kind === 'set'
      ? config.secret.secret
      : await loadOrCreateSecret(config.secret.file);
  const { deps: storage, siteCache, startJobs } = await openStorage(config, secret, clock, opening);
  const events = await openEvents(config.clickHouse);
  if (events) closers.add('analytics events', () => events.close());
  const analyticsStore = createSqlAnalyticsStore(database, events);
  const analytics = createAnalytics({
    store: analyticsStore,
    database,
    clock,
    config,
    logger,
    secret,
  });
  closers.add('analytics', () => analytics.close());
  const { createHttpOutside } = await import('../adapters/outside-files/http.ts');
  const outside = createHttpOutside({ allowedRanges: config.allowedPrivateRanges });
  closers.add('outside', () => outside.close());
  const passwords = createPasswords();
  const outsideCalls = traced.calls(outside);
  const hostCalls = createHostCalls(outsideCalls, clock);
  const providerDocuments = createProviderDocuments({ outsideFiles: outside, clock });
  const readerSessions = createReaderSessions({ database, clock, logger, secret });
  const readerStore = createReaderStore({ database, clock, readerSessions });
  const deps: Deps = {
    config,
    database,
    ...storage,
    dns: createNodeDnsLookup({ servers: config.dnsServers }),
    outsideFiles: outside,
    outsideCalls,
    hostCalls,
    installationTokens: createInstallationTokens({ database, hostCalls, secret, clock }),
    proseLinter: createVale(),
    git: await openSystemGit({
      ...config.git,
      folder: join(config.dataFolder, 'git'),
      allowedRanges: config.allowedPrivateRanges,
    }),
    uploadLinks: async (upload) =>
      (await import('../adapters/blob-store/s3-upload-link.ts')).s3UploadLink(upload),
    secret,
    ...(await openAssistant(config, storage.blobs, clock, opening)),
    answerNotices: createAnswerNotices({ database, jobs: storage.jobs, clock, config, logger }),
    accountable: createAccountable({ database, clock }),
    readerSessions,
    readerStore,
    readerTokens: createReaderTokens({ readerStore, clock, config, providerDocuments }),
    providerDocuments,
    accounts: createAccounts({
      database,
      logger,
      publicUrl: config.publicUrl,
      secret,
      sessionDays: config.sessionDays,
      createId: () => createUlid(clock.now()),
      passwords,
      sso: singleSignOn({ config, database, clock, limiter: storage.limiter, logger }),
    }),
    passwords,
    mailer: await openMailer(config.mail),
    analytics,
    processId,
    telemetry: traced.telemetry,
    clock,
    logger,
  };
  closers.add('mailer', async () => deps.mailer?.close());
  return { deps, siteCache, startJobs };
}

/**
 * Opens what keeps files, jobs and counts; sites are read through a cache on disk where the files
 * are far.
 */
async function openStorage(
  config: Config,
  secret: string,
  clock: Deps['clock'],
  { logger, closers, traced, database }: Opening,
) {
  const stored = await openBlobs(config, secret, clock);
  const blobs = traced.blobs(stored.blobs, config.blobs.kind);
  closers.add('blob store', () => blobs.close());
  const limiter = await openLimiter(config.limiter, database, logger);
  closers.add('rate limiter', () => limiter.close());
  const outages = { totalSeconds: config.outageHours * 3600 };
  const queue = createPgBossQueue({ database, logger, outages });
  const jobs = traced.jobs(queue);
  closers.add('job queue', () => jobs.close());
  const siteCache = await openSiteCache(config, blobs, logger);
  if (siteCache) closers.add('cache of files', () => siteCache.close());
  const liveSites = openLiveSites({ database, blobs: siteCache ?? blobs, clock, config });
  const deps = { ...stored, blobs, limiter, jobs, liveSites };
  return { deps, siteCache, startJobs: () => queue.start() };
}

/** Opens the models, the search, and what the assistant keeps in memory. */
async function openAssistant(
  config: Config,
  blobs: Deps['blobs'],
  clock: Deps['clock'],
  { logger, closers, parts, traced, database }: Opening,
) {
  const model = traced.model(parts.model ?? (await openModel(config.model)));
  if (parts.model === undefined) void logModelNote(config.model, logger);
  const furtherModels = await openFurtherModels(config.models);
  const models = new Map(
    [...furtherModels].map(([name, further]) => [name, traced.model(further)]),
  );
  const assistantSettings = createSettingsCache({ database, clock });
  const modelUsage = createModelUsage({ database, clock });
  const threadTurns = createThreadTurns();
  const threads = databaseThreads({ database });
  const threadWrites = createThreadWrites({ database });
  closers.add('threads', () => threadWrites.close());
  const keyCache = createKeyCache({ clock });
  const { siteSearch, ...search } = await openSiteSearch(config, { blobs, clock, logger }, traced);
  return {
    model,
    models,
    quotingModel: traced.model(createExtractiveModel()),
    modelUsage,
    ...search,
    siteSearch: ruledSearch(siteSearch, assistantSettings),
    assistantSettings,
    threads,
    threadTurns,
    threadWrites,
    keyCache,
  };
}
