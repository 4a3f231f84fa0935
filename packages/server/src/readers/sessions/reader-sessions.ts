import type { Reader } from '@docent/format/access/may-read.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Deps } from '../../kernel/deps.ts';
import { createFreshCache } from '../../kernel/fresh-cache.ts';
import { hashSecret } from '../../kernel/ids.ts';
import type { ReaderSessions } from '../../kernel/process-state.ts';
import type { QueryRunner } from '../../ports/database.ts';
import { sessionOfAgent } from './agent-tokens.ts';
import { findReaderSession, type ReaderSessionRow, touchReaderSession } from './session-rows.ts';
import { groupsOfAddresses } from './site-readers.ts';

/** Several thousand readers. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A session that ended in another process is refused after this time. */
const USABLE_MS = 2000;
/** How exactly the time of the last use is stored. */
const TOUCH_MS = 10 * 60 * 1000;
const TOKEN = /^[\w-]{43}$/;

/**
 * Reads the sessions of readers from the database, and keeps those in use in memory for moments.
 */
export function createReaderSessions({
  database,
  clock,
  logger,
  secret,
}: Pick<Deps, 'database' | 'clock' | 'logger' | 'secret'>): ReaderSessions {
  const times = { freshMs: USABLE_MS / 2, usableMs: USABLE_MS };
  const sessions = createFreshCache<ReaderSessionRow>({
    name: 'reader_sessions',
    clock,
    ...times,
    maxBytes: MAX_BYTES,
  });

  function noteUse(session: ReaderSessionRow, now: Date): void {
    if (now.getTime() - session.usedAt.getTime() < TOUCH_MS) return;
    session.usedAt = now;
    touchReaderSession(database.queries, session.id, now).catch((error: unknown) => {
      logger.warn(
        { error: errorMessage(error) },
        'the last use of a session of a reader could not be stored',
      );
    });
  }

  async function findBy(siteId: string, key: Parameters<typeof findReaderSession>[1]) {
    const now = clock.now();
    const load = async () => {
      const row = await findReaderSession(database.queries, key, { siteId, now });
      return row && (await withSiteGroups(database.queries, siteId, [row]))[0];
    };
    const session = await sessions.get(`${siteId} ${Object.values(key)}`, load);
    if (!session || session.expiresAt <= now) return undefined;
    noteUse(session, now);
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
    invalidate: (siteId) => sessions.invalidateWhere((session) => session.siteId === siteId),
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
