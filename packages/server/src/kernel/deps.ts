import type { Accounts, Passwords } from '../ports/accounts.ts';
import type { BlobStore, LinkVerifier } from '../ports/blob-store.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { DnsLookup } from '../ports/dns-lookup.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { GitRepositories } from '../ports/git/git-repositories.ts';
import type { HostCalls } from '../ports/git/host-calls.ts';
import type { ProseLinter } from '../ports/git/prose-linter.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { LiveSites } from '../ports/live-sites.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { OutsideCalls } from '../ports/outside-calls.ts';
import type { OutsideFiles } from '../ports/outside-files.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { ReaderStore } from '../ports/readers/reader-store.ts';
import type { SiteSearch } from '../ports/site-search.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { UploadLinks } from '../ports/upload-links.ts';
import type { Config } from './config/config.ts';
import type {
  Accountable,
  Analytics,
  AnswerNotices,
  InstallationTokens,
  KeyCache,
  ModelUsage,
  ProviderDocuments,
  ReaderSessions,
  ReaderTokens,
  SettingsCache,
  Threads,
  ThreadTurns,
  ThreadWrites,
} from './process-state.ts';

/** The dependencies of use cases. Each takes only its part: `Pick<Deps, 'database' | 'clock'>`. */
export interface Deps {
  config: Config;
  database: Database;
  blobs: BlobStore;
  /** Present if the blob store serves its own links. */
  linkVerifier?: LinkVerifier;
  jobs: JobQueue;
  /** Queried for the proofs of hostnames. */
  dns: DnsLookup;
  /** Calls the APIs that sites describe. */
  outsideCalls: OutsideCalls;
  /** Calls the APIs of servers of repositories. */
  hostCalls: HostCalls;
  /** Of apps at GitHub that organizations own. */
  installationTokens: InstallationTokens;
  /** Reads the repositories that sites are published from. */
  git: GitRepositories;
  /** Checks how pages are written; absent where nothing is published. */
  proseLinter?: ProseLinter | undefined;
  /** Signs uploads to the buckets of analytics streams. */
  uploadLinks: UploadLinks;
  /** Fetches files that sites refer to by URL. */
  outsideFiles: OutsideFiles;
  limiter: RateLimiter;
  model: ChatModel;
  /** Additional models, by the name that sites choose them by. */
  models: ReadonlyMap<string, ChatModel>;
  /** Quotes pages; costs nothing. */
  quotingModel: ChatModel;
  modelUsage: ModelUsage;
  /** Absent where there are no webhooks. */
  answerNotices?: AnswerNotices | undefined;
  /** Present if semantic search is on. */
  embedder?: Embedder | undefined;
  siteSearch: SiteSearch;
  assistantSettings: SettingsCache;
  analytics: Analytics;
  threads: Threads;
  threadTurns: ThreadTurns;
  threadWrites: ThreadWrites;
  keyCache: KeyCache;
  readerSessions: ReaderSessions;
  readerStore: ReaderStore;
  readerTokens: ReaderTokens;
  /** What identity providers of sites publish. */
  providerDocuments: ProviderDocuments;
  accountable: Accountable;
  accounts: Accounts;
  /** Shared with the accounts, so that one bound is for all. */
  passwords: Passwords;
  /** Present if the server sends mail. */
  mailer?: Mailer | undefined;
  /** Random, stored with the data; signs values that are given out and come back. */
  secret: string;
  liveSites: LiveSites;
  /** Present if traces or metrics are exported. */
  telemetry?: Telemetry | undefined;
  /** Identifies this process among those on the database; absent where it is alone. */
  processId?: string | undefined;
  clock: Clock;
  logger: Logger;
}
