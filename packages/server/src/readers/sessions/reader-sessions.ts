import type { Reader } from '@docent/format/access/may-read.ts';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import type { ReaderSessions } from '../../kernel/process-state.ts';
import type { QueryRunner } from '../../ports/database.ts';
import { sessionOfAgent } from './agent-tokens.ts';
import {
  findReaderSession,
  listOpenSessionIds,
  type ReaderSessionRow,
  touchReaderSession,
} from './session-rows.ts';
import { groupsOfAddresses } from './site-readers.ts';

/** Several thousand readers. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of memory for a character of JSON. */
const MEMORY_OF_JSON = 2;
/** A session that ended in another process is refused after this time. */
const USABLE_MS = 2000;
/** After this time the database is asked whether those in memory have ended. */
const FRESH_MS = USABLE_MS / 2;
/** Sessions that were not used for this long are read again when they are. */
const KEPT_MS = 5 * 60 * 1000;
/** How exactly the time of the last use is stored. */
const TOUCH_MS = 10 * 60 * 1000;
const TOKEN = /^[\w-]{43}$/;

type SessionKey = Parameters<typeof findReaderSession>[1];

interface Entry {
  /** As it is stored; undefined if there is none. */
  row: ReaderSessionRow | undefined;
  /** With the groups that its site gives it now. */
  session: ReaderSessionRow | undefined;
  readAt: number;
  usedAt: number;
}

/**
 * Reads the sessions of readers from the database, and keeps those in use in memory. Once a second
 * one query asks which of them have ended, so that a page does not pay for one.
 */
export function createReaderSessions({
  database: { queries },
  clock,
  logger,
  secret,
}: Pick<Deps, 'database' | 'clock' | 'logger' | 'secret'>): ReaderSessions {
  const cache = new BoundedCache<Entry>('reader_sessions', {
    maxBytes: MAX_BYTES,
    sizeOf: ({ row, session }) => MEMORY_OF_JSON * JSON.stringify([row, session]).length,
  });
  /** Keys that are read now. */
  const loading = new Set<string>();
  let checking: Promise<void> | undefined;

  async function load(siteId: string, cacheKey: string, key: SessionKey): Promise<Entry> {
    const now = clock.now();
    const readAt = now.getTime();
    loading.add(cacheKey);
    try {
      const row = await findReaderSession(queries, key, { siteId, now });
      const [session] = row ? await withSiteGroups(queries, siteId, [row]) : [];
      return { row, session, readAt, usedAt: readAt };
    } finally {
      loading.delete(cacheKey);
    }
  }

  /** Asks about all sessions that were used of late; the others are forgotten. */
  async function checkAll(): Promise<void> {
    const now = clock.now();
    const readAt = now.getTime();
    const entries: { cacheKey: string; entry: Entry; row: ReaderSessionRow }[] = [];
    for (const [cacheKey, entry] of cache.entries()) {
      if (!entry.row || readAt - entry.usedAt > KEPT_MS) cache.delete(cacheKey);
      else entries.push({ cacheKey, entry, row: entry.row });
    }
    const rows = entries.map(({ row }) => row);
    const ids = await listOpenSessionIds(queries, [...new Set(rows.map(({ id }) => id))], now);
    const sessions = new Map<string, ReaderSessionRow>();
    const openRows = rows.filter(({ id }) => ids.has(id));
    for (const [siteId, ofSite] of Map.groupBy(openRows, (row) => row.siteId))
      for (const session of await withSiteGroups(queries, siteId, ofSite))
        sessions.set(session.id, session);
    for (const { cacheKey, entry, row } of entries) {
      // One that was forgotten meanwhile may have been read again since.
      if (cache.peek(cacheKey) !== entry) continue;
      entry.session = sessions.get(row.id);
      entry.readAt = readAt;
      if (!entry.session) cache.delete(cacheKey);
    }
  }

  function check(): Promise<void> {
    checking ??= checkAll().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** Returns an entry that is new enough, or can be used while it is checked. */
  async function cachedEntry(cacheKey: string): Promise<Entry | undefined> {
    const ageOf = ({ readAt }: Entry) => clock.now().getTime() - readAt;
    let entry = cache.get(cacheKey);
    // Twice, because a check that is running may have begun too long ago.
    for (let attempt = 0; attempt < 2 && entry && ageOf(entry) >= FRESH_MS; attempt++) {
      // If the database fails, whoever reads the session next says so.
      const checked = check().catch(() => undefined);
      if (ageOf(entry) < USABLE_MS) return entry;
      await checked;
      entry = cache.peek(cacheKey);
    }
    return entry && ageOf(entry) < USABLE_MS ? entry : undefined;
  }

  async function entryOf(siteId: string, key: SessionKey): Promise<Entry> {
    const cacheKey = `${siteId} ${Object.values(key)}`;
    const cachedSession = await cachedEntry(cacheKey);
    if (cachedSession) return cachedSession;
    if (cache.peek(cacheKey)) cache.delete(cacheKey);
    const entry = await cache.load(cacheKey, () => load(siteId, cacheKey, key));
    if (!entry.session && cache.peek(cacheKey) === entry) cache.delete(cacheKey);
    return entry;
  }

  function noteUse(session: ReaderSessionRow, now: Date): void {
    if (now.getTime() - session.usedAt.getTime() < TOUCH_MS) return;
    session.usedAt = now;
    touchReaderSession(queries, session.id, now).catch((error: unknown) => {
      logger.warn(
        { error: errorMessage(error) },
        'the last use of a session of a reader could not be stored',
      );
    });
  }

  async function findBy(siteId: string, key: SessionKey) {
    const entry = await entryOf(siteId, key);
    const { row, session } = entry;
    const now = clock.now();
    if (!row || !session || session.expiresAt <= now) return undefined;
    entry.usedAt = now.getTime();
    noteUse(row, now);
    const reader: Reader = { ...session.reader, expiresAt: session.expiresAt };
    return { id: session.id, method: session.method, reader };
  }

  return {
    find: async (siteId, token) =>
      TOKEN.test(token) ? findBy(siteId, { token_hash: hashSecret(token) }) : undefined,
    async findByAgent(siteId, token) {
      const id = sessionOfAgent({ secret }, siteId, token);
      return id === undefined ? undefined : findBy(siteId, { id });
    },
    invalidate(siteId) {
      for (const cacheKey of [...cache.entries().map(([key]) => key), ...loading])
        if (cacheKey.startsWith(`${siteId} `)) cache.delete(cacheKey);
    },
  };
}

/**
 * Adds the groups that a site gives to the email addresses of members and invited readers; as they
 * are now, so that a change counts at once. Leaves out invited readers whom the site no longer
 * names.
 */
export async function withSiteGroups<
  Row extends Pick<ReaderSessionRow, 'method' | 'name' | 'reader'>,
>(queries: QueryRunner, siteId: string, rows: readonly Row[]): Promise<Row[]> {
  const addressOf = ({ method, name }: Row) =>
    (method === 'mail' || method === 'members') && name ? [name.toLowerCase()] : [];
  const groupsByAddress = await groupsOfAddresses(queries, siteId, rows.flatMap(addressOf));
  return rows.flatMap((row) => {
    const [address] = addressOf(row);
    const groups = address === undefined ? undefined : groupsByAddress.get(address);
    if (groups) return { ...row, reader: { ...row.reader, groups } };
    return row.method === 'mail' ? [] : row;
  });
}
