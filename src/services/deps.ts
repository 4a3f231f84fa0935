import type { Config } from '../config.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { BlobStore, LinkVerifier } from '../ports/blob-store.ts';
import type { ChatModel } from '../ports/chat-model.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { DnsLookup } from '../ports/dns-lookup.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { OutsideCalls } from '../ports/outside-calls.ts';
import type { OutsideFiles } from '../ports/outside-files.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { UploadLinks } from '../ports/upload-links.ts';
import type { KeyCache } from './access/key-cache.ts';
import type { Analytics } from './analytics/analytics.ts';
import type { SettingsCache } from './assistant/assistant-settings.ts';
import type { ThreadTurns } from './assistant/thread-turns.ts';
import type { ThreadWrites } from './assistant/thread-writes.ts';
import type { Threads } from './assistant/threads.ts';
import type { SiteSearch } from './search/site-search.ts';
import type { LiveSites } from './sites/live-sites.ts';

/** What the use cases may need. Each takes only its part: `Pick<Deps, 'database' | 'clock'>`. */
export interface Deps {
  config: Config;
  database: Database;
  blobs: BlobStore;
  /** Present where the blob store serves its own links. */
  linkVerifier?: LinkVerifier;
  jobs: JobQueue;
  /** Asked for the proofs of host names. */
  dns: DnsLookup;
  /** Calls the APIs that sites describe. */
  outsideCalls: OutsideCalls;
  /** Signs uploads to the buckets that streams of analytics go to. */
  uploadLinks: UploadLinks;
  /** Fetches what sites refer to at other addresses. */
  outsideFiles: OutsideFiles;
  limiter: RateLimiter;
  model: ChatModel;
  /** Further models, by the name that sites choose them by. */
  models: ReadonlyMap<string, ChatModel>;
  /** Present where pages are found by their meaning too. */
  embedder?: Embedder | undefined;
  siteSearch: SiteSearch;
  assistantSettings: SettingsCache;
  analytics: Analytics;
  threads: Threads;
  threadTurns: ThreadTurns;
  threadWrites: ThreadWrites;
  keyCache: KeyCache;
  accounts: Accounts;
  /** Present where the server sends mail. */
  mailer?: Mailer | undefined;
  /** Random, kept with the data; signs what is given out and comes back. */
  secret: string;
  liveSites: LiveSites;
  clock: Clock;
  logger: Logger;
}
