import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@docent/format/access/may.ts';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import type { FastifyInstance } from 'fastify';
import { createAccounts } from '../../packages/server/src/adapters/accounts/better-auth.ts';
import { createSqlAnalyticsStore } from '../../packages/server/src/adapters/analytics-store/sql.ts';
import { openFileSystemBlobStore } from '../../packages/server/src/adapters/blob-store/file-system.ts';
import { s3UploadLink } from '../../packages/server/src/adapters/blob-store/s3-upload-link.ts';
import { createExtractiveModel } from '../../packages/server/src/adapters/chat-model/extractive.ts';
import { createMemoryRateLimiter } from '../../packages/server/src/adapters/rate-limiter/memory.ts';
import { createAnalytics } from '../../packages/server/src/analytics/analytics.ts';
import { createAnswerNotices } from '../../packages/server/src/assistant/announce-answers.ts';
import { createSettingsCache } from '../../packages/server/src/assistant/assistant-settings.ts';
import { createModelUsage } from '../../packages/server/src/assistant/model-usage.ts';
import { createThreadTurns } from '../../packages/server/src/assistant/thread-turns.ts';
import { createThreadWrites } from '../../packages/server/src/assistant/thread-writes.ts';
import { databaseThreads } from '../../packages/server/src/assistant/threads.ts';
import { createInstallationTokens } from '../../packages/server/src/github-apps/installation-tokens.ts';
import { createAccountable } from '../../packages/server/src/kernel/access/accountable.ts';
import { createKeyCache } from '../../packages/server/src/kernel/access/key-cache.ts';
import { insertOrganization } from '../../packages/server/src/kernel/access/organization-queries.ts';
import type { Deps } from '../../packages/server/src/kernel/deps.ts';
import { createUlid } from '../../packages/server/src/kernel/ids.ts';
import { createKey, type KeyOptions } from '../../packages/server/src/keys/manage-keys.ts';
import { createHostCalls } from '../../packages/server/src/outside/host-calls.ts';
import type { ChatModel } from '../../packages/server/src/ports/chat-model.ts';
import type { Database } from '../../packages/server/src/ports/database.ts';
import type { GitRepositories } from '../../packages/server/src/ports/git/git-repositories.ts';
import type { ProseLinter } from '../../packages/server/src/ports/git/prose-linter.ts';
import type { Logger } from '../../packages/server/src/ports/logger.ts';
import type { OutsideCalls } from '../../packages/server/src/ports/outside-calls.ts';
import type { OutsideFiles } from '../../packages/server/src/ports/outside-files.ts';
import { wordSearch } from '../../packages/server/src/ports/site-search.ts';
import { insertDeployment } from '../../packages/server/src/publishing/deployment-queries.ts';
import { createReaderSessions } from '../../packages/server/src/readers/sessions/reader-sessions.ts';
import { createProviderDocuments } from '../../packages/server/src/readers/sign-in/provider-documents.ts';
import { createReaderTokens } from '../../packages/server/src/readers/sign-in/reader-tokens.ts';
import { createReaderStore } from '../../packages/server/src/readers/store/database-store.ts';
import { ruledSearch } from '../../packages/server/src/search/ruled-search.ts';
import { singleSignOn } from '../../packages/server/src/sign-in/single-sign-on.ts';
import { createSite } from '../../packages/server/src/sites/create-site.ts';
import { type AppOptions, buildApp } from '../../packages/server/src/start/http-app.ts';
import {
  fakeClock,
  fakeDns,
  fakeGit,
  fakeJobQueue,
  fakeLiveSite,
  fakeLiveSites,
  fakeModel,
  fakeOutsideCalls,
  fakeOutsideFiles,
  fakePage,
} from './fakes.ts';
import { quickPasswords } from './quick-passwords.ts';
import { silentLogger } from './silent-logger.ts';
import { sharedTestDatabase } from './test-database.ts';

export interface TestAppOptions extends AppOptions {
  env?: Record<string, string>;
  model?: ChatModel;
  logger?: Logger;
  outsideCalls?: OutsideCalls;
  outsideFiles?: OutsideFiles;
  git?: GitRepositories;
  proseLinter?: ProseLinter;
  /** Replaces the embedded one in memory; must be migrated, and is closed with the rest. */
  database?: Database;
}

/** The HTTP application on a real database and blob store, with the rest faked. */
export interface TestApp {
  app: FastifyInstance;
  deps: Deps & {
    clock: ReturnType<typeof fakeClock>;
    jobs: ReturnType<typeof fakeJobQueue>;
    dns: ReturnType<typeof fakeDns>;
    liveSites: ReturnType<typeof fakeLiveSites>;
  };
  close(): Promise<void>;
}

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-app-'));
  const config = loadConfig({ DOCENT_DATA: folder, ...options.env });
  const clock = fakeClock();
  const database = options.database ?? (await sharedTestDatabase());
  const blobs = await openFileSystemBlobStore({
    folder: join(folder, 'blobs'),
    linkBaseUrl: config.publicUrl,
    secret: 'test-secret',
    clock,
  });
  const limiter = createMemoryRateLimiter();
  const logger = options.logger ?? silentLogger;
  const outsideFiles = options.outsideFiles ?? fakeOutsideFiles();
  const jobs = fakeJobQueue();
  const outsideCalls = options.outsideCalls ?? fakeOutsideCalls();
  const hostCalls = createHostCalls(outsideCalls, clock);
  const assistantSettings = createSettingsCache({ database, clock });
  const providerDocuments = createProviderDocuments({ outsideFiles, clock });
  const readerSessions = createReaderSessions({ database, clock, logger, secret: 'test-secret' });
  const readerStore = createReaderStore({ database, clock, readerSessions });
  const deps = {
    config,
    database,
    blobs,
    linkVerifier: blobs,
    jobs,
    answerNotices: createAnswerNotices({ database, jobs, clock, config, logger }),
    dns: fakeDns(),
    outsideFiles,
    outsideCalls,
    hostCalls,
    installationTokens: createInstallationTokens({
      database,
      hostCalls,
      secret: 'test-secret',
      clock,
    }),
    git: options.git ?? fakeGit(),
    proseLinter: options.proseLinter,
    uploadLinks: s3UploadLink,
    limiter,
    model:
      options.model ??
      fakeModel([{ type: 'finish', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } }]),
    models: new Map<string, ChatModel>(),
    quotingModel: createExtractiveModel(),
    modelUsage: createModelUsage({ database, clock }),
    siteSearch: ruledSearch(wordSearch, assistantSettings),
    assistantSettings,
    analytics: createAnalytics({
      store: createSqlAnalyticsStore(database),
      database,
      clock,
      config,
      logger: silentLogger,
      secret: 'test-secret',
    }),
    threadTurns: createThreadTurns(),
    threads: databaseThreads({ database }),
    threadWrites: createThreadWrites({ database }),
    keyCache: createKeyCache({ clock }),
    readerSessions,
    readerStore,
    readerTokens: createReaderTokens({ readerStore, clock, config, providerDocuments }),
    providerDocuments,
    accountable: createAccountable({ database, clock }),
    accounts: createAccounts({
      database,
      logger: silentLogger,
      publicUrl: config.publicUrl,
      secret: 'test-secret',
      sessionDays: config.sessionDays,
      createId: () => createUlid(new Date()),
      passwords: quickPasswords,
      sso: singleSignOn({ config, database, clock, limiter, logger }),
    }),
    passwords: quickPasswords,
    secret: 'test-secret',
    liveSites: fakeLiveSites(),
    clock,
    logger,
  };
  const app = await buildApp(deps, options);
  const close = async () => {
    await app.close();
    await deps.analytics.close();
    await deps.threadWrites.close();
    await deps.limiter.close();
    await blobs.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { app, deps, close };
}

/** Adds an organization, and returns its operator. */
export async function addOrganization(
  { deps }: TestApp,
  plan: 'free' | 'enterprise' = 'enterprise',
): Promise<Actor> {
  const id = createUlid(deps.clock.now());
  await insertOrganization(deps.database.queries, {
    id,
    slug: id.toLowerCase(),
    name: 'Test',
    plan,
    createdAt: deps.clock.now(),
  });
  return { kind: 'operator', organizationId: id, plan };
}

/** Adds a site; with pages, it is published. */
export async function addSite(
  { deps }: TestApp,
  operator: Actor,
  slug: string,
  pages: string[] = [],
): Promise<{ siteId: string; deploymentId: string }> {
  const site = await createSite(deps, operator, { slug, hostnames: [] });
  if (pages.length === 0) return { siteId: site.id, deploymentId: '' };
  const deploymentId = createUlid(deps.clock.now());
  const createdAt = deps.clock.now();
  await insertDeployment(deps.database.queries, {
    id: deploymentId,
    siteId: site.id,
    sourceKey: `uploads/${deploymentId}.tar.gz`,
    createdAt,
  });
  await deps.database.queries
    .updateTable('sites')
    .set({ live_deployment_id: deploymentId })
    .where('id', '=', site.id)
    .execute();
  const built = pages.map((path) => fakePage(path, /^v\d/.exec(path)?.[0]));
  deps.liveSites.add(
    fakeLiveSite(
      { siteId: site.id, organizationId: operator.organizationId, slug, deploymentId },
      built,
    ),
  );
  return { siteId: site.id, deploymentId };
}

/** Creates a key, and returns it with the headers that send it. */
export async function addKey(
  { deps }: TestApp,
  operator: Actor,
  options: Partial<KeyOptions> & Pick<KeyOptions, 'kind'>,
) {
  const key = await createKey(deps, operator, {
    name: 'test',
    expiresInDays: 90,
    scopes: [],
    ipAllowlist: [],
    originAllowlist: [],
    ...options,
  });
  return { id: key.id, key: key.key, headers: { authorization: `Bearer ${key.key}` } };
}
