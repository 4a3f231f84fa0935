import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { AnswerOutcome, TokenUsage } from '@docent/assistant/chat/answer-event.ts';
import type { KeyKind, KeyScope } from '@docent/format/access/keys.ts';
import type { Plan } from '@docent/format/access/may.ts';
import type { Reader } from '@docent/format/access/may-read.ts';
import type { AnalyticsSettings } from '@docent/format/analytics/analytics-settings.ts';
import type { Batch } from '@docent/format/analytics/reader-events.ts';
import type { SearchRules } from '@docent/search/search-rules.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { NewMessage, NewThread, Rating, ThreadRow } from './db/conversation-rows.ts';

// What a process keeps in memory, and use cases of several subjects share. Each subject creates its
// own; `start/` connects them.

/**
 * Returns the id whose limits an organization uses up: that of the person who created it, so that
 * several organizations of one person have together what one has; or its own, if the operator
 * created it.
 */
export type Accountable = (organizationId: string) => Promise<string>;

/** A key as needed for authentication, with its organization's plan. */
export interface KeyToCheck {
  id: string;
  kind: KeyKind;
  organizationId: string;
  plan: Plan;
  hash: string;
  siteId: string | null;
  siteIds: string[];
  scopes: KeyScope[];
  ipAllowlist: string[];
  /** Addresses from which its organization allows it; empty or null: all. */
  allowedAddresses: string[] | null;
  originAllowlist: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export interface KeyCache {
  find(hash: string, load: () => Promise<KeyToCheck | undefined>): Promise<KeyToCheck | undefined>;
  /**
   * Removes a key that was revoked here; it is refused at once. One revoked in another process is
   * refused within five seconds.
   */
  invalidate(keyId: string): void;
  /** The same for all keys of an organization that was deleted here, or whose plan or addresses changed. */
  invalidateOrganization(organizationId: string): void;
}

/** Reads the sessions of the readers of sites. */
export interface ReaderSessions {
  /** Returns the reader of a session of a site, and its id; undefined if it has ended. */
  find(
    siteId: string,
    token: string,
  ): Promise<{ id: string; method: string; reader: Reader } | undefined>;
  /** The same, by the token that the reader gave to an agent. */
  findByAgent(
    siteId: string,
    token: string,
  ): Promise<{ id: string; method: string; reader: Reader } | undefined>;
  /**
   * Forgets the sessions of a site that are in memory, after some ended. Other processes notice
   * within two seconds.
   */
  invalidate(siteId: string): void;
}

/** Reads and keeps what identity providers publish: their sets of keys. */
export interface ProviderDocuments {
  /**
   * Returns the JSON at an address, as of the last hour. @param isStale whether what is in memory
   * did not suffice
   * @throws DocentError `dependency_unavailable` if it cannot be read
   */
  read(url: string, isStale?: boolean): Promise<Readonly<Record<string, unknown>>>;
}

/** What a repository at GitHub is used for. */
export type TokenUse = 'fetch' | 'report' | 'propose';

/** The app that lets the server in at a repository. */
interface AppSource {
  githubAppId: string | null;
  url: string;
}

/** Tokens of installations of GitHub Apps, each for one repository and use. */
export interface InstallationTokens {
  /** Returns a token that is usable for ten minutes at least. @throws HostFault */
  token(source: AppSource, use: TokenUse): Promise<string>;
  /** Forgets those of a repository: it may have been installed again. */
  forget(source: AppSource): void;
}

/** Verifies the tokens of readers that come with calls of the API. */
export interface ReaderTokens {
  /** @throws DocentError `sign_in_required` saying what is wrong with the token */
  verify(site: LiveSite, token: string): Promise<Reader>;
}

export interface SettingsCache {
  /** Returns the settings; fails if the database is unavailable and the cached ones are too old. */
  of(siteId: string): Promise<AssistantSettings>;
  /**
   * Returns whether pages offer the assistant. Never fails, because reading must not depend on the
   * database.
   */
  isShown(siteId: string): Promise<boolean>;
  /**
   * Returns the rules of the site's search, for callers without settings of their own. Never fails,
   * for the same reason.
   */
  searchRules(siteId: string): Promise<SearchRules | undefined>;
  invalidate(siteId: string): void;
}

/** Counts what language models cost a site. */
export interface ModelUsage {
  /** Returns the tokens that the answers of a site used on this UTC day. */
  today(siteId: string): Promise<number>;
  /** Counts an answer. */
  add(siteId: string, model: string, usage: TokenUsage): Promise<void>;
}

/** What one side said in a conversation. */
interface Turn {
  role: 'user' | 'assistant';
  content: string;
  /** Pages that an answer cites, at absolute addresses. */
  sources: readonly { url: string }[];
}

/** Sends owners what they want to know of answers. Never fails. */
export interface AnswerNotices {
  /** The documentation does not answer a question. */
  unanswered(answer: { siteId: string; threadId: string; question: string }): Promise<void>;
  /** The language models of a site have used what they may on this UTC day. */
  tokensUsedUp(siteId: string): Promise<void>;
}

/** Reads conversations; `ThreadWrites` writes them. */
export interface Threads {
  find(siteId: string, id: string): Promise<ThreadRow | undefined>;
  /**
   * Returns the last `limit` non-empty turns, oldest first; only those before a message, if it
   * exists.
   */
  turns(threadId: string, options: { limit: number; before: string | undefined }): Promise<Turn[]>;
  /**
   * Stores the reader's rating of an answer: the one with that id, or the newest of the thread.
   * @returns false if there is no such answer
   */
  setHelpful(rating: Rating): Promise<boolean>;
}

/** Orders the answers of one conversation: the next one starts when the previous one has ended. */
export interface ThreadTurns {
  /**
   * Waits for the earlier answers of the thread, then holds the turn.
   * @param signal cancels the wait and the turn: its reader has disconnected
   * @returns a function that ends the turn; may be called more than once
   */
  take(threadId: string, signal: AbortSignal): Promise<() => void>;
}

/** One message to append to its thread. */
export interface ThreadWrite {
  /** The thread itself, if this is its first message. */
  thread?: NewThread;
  message: NewMessage;
  /** What to delete first: the message with the same id, or it and everything after it. */
  replaces?: 'message' | 'message-and-rest';
}

export interface ThreadWrites {
  /**
   * Resolves when it is stored. Rejects if that is impossible: its site was deleted, or the
   * database stays unavailable.
   */
  write(write: ThreadWrite): Promise<void>;
  /** Resolves when all earlier messages of that thread are stored, or have failed. */
  settled(threadId: string): Promise<void>;
  /**
   * Registers an answer in progress, which `close` waits for. @returns a function to call when it
   * is stored
   */
  expect(): () => void;
  /**
   * Resolves when everything is stored, including the end of open answers. From now on nothing is
   * retried.
   */
  close(): Promise<void>;
}

/** Identifies the sender of a request. Neither field is stored. */
export interface Caller {
  address: string;
  userAgent: string;
  /** `DNT` or `Sec-GPC`: this client is not counted. */
  wantsNone: boolean;
  /** Of a reader who signed in. */
  groups?: readonly string[] | undefined;
}

/** A fetch by a program. */
export interface Fetch {
  surface: 'page' | 'markdown' | 'llms' | 'skills' | 'mcp' | 'search' | 'page-api';
  /** Site path of the page, if it is one. */
  href?: string | undefined;
}

/** Receives the events of people and machines on sites. */
export interface EventCollector {
  settings: {
    of(siteId: string): Promise<AnalyticsSettings>;
    isOn(siteId: string): Promise<boolean>;
    invalidate(siteId: string): void;
  };
  /**
   * Counts the events that a page sent. Events of another site, over the limits, or of a machine
   * are not counted.
   */
  takeBatch(site: LiveSite, batch: Batch, caller: Caller): Promise<void>;
  /** Counts a fetch, if a machine made it. Never waits and never fails. */
  countFetch(site: LiveSite, fetch: Fetch, caller: Caller): void;
  /** Resolves when everything received so far is stored. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Counts events of people and machines on sites, and returns figures. */
export interface Analytics extends EventCollector {
  store: AnalyticsStore;
}

/** How an answer ended, for the metrics of the server. */
export interface AnswerReport {
  model: string;
  outcome: AnswerOutcome;
  usage: TokenUsage | undefined;
  /** Null without a text. */
  firstTextMs: number | null;
}
