import { randomBytes } from 'node:crypto';
import type { Deps } from '../../kernel/deps.ts';
import { createUlid, hashSecret } from '../../kernel/ids.ts';
import type { ReaderStore } from '../../ports/readers/reader-store.ts';
import { findAccess } from '../access/access-rows.ts';
import { deleteReaderSession, insertReaderSession } from '../sessions/session-rows.ts';
import { isUsedProof, useProof } from '../sign-in/proof-rows.ts';
import { endOfSession } from './end-of-session.ts';

const TOKEN_BYTES = 32;

/** Stores in the database what a sign-in of readers needs. */
export function createReaderStore({
  database: { queries },
  clock,
  readerSessions,
}: Pick<Deps, 'database' | 'clock' | 'readerSessions'>): ReaderStore {
  return {
    accessOf: (siteId) => findAccess(queries, siteId),
    useProof: (id, expiresAt) => useProof(queries, id, expiresAt),
    isUsedProof: (id) => isUsedProof(queries, id),
    async startSession(site, { userId, viewerSessionId, name, expiresAt, ...signIn }) {
      const now = clock.now();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const end = endOfSession(now, site.sessionDays, expiresAt);
      await insertReaderSession(queries, {
        id: createUlid(now),
        siteId: site.siteId,
        tokenHash: hashSecret(token),
        ...signIn,
        userId: userId ?? null,
        viewerSessionId: viewerSessionId ?? null,
        name: name ?? null,
        createdAt: now,
        usedAt: now,
        expiresAt: end,
      });
      return { token, expiresAt: end };
    },
    async endSession(siteId, sessionId) {
      await deleteReaderSession(queries, siteId, sessionId);
      readerSessions.invalidate(siteId);
    },
  };
}
