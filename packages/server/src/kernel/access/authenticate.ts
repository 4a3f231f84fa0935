import { allowsIp, type IpAddress } from '@docent/format/access/ip.ts';
import { parseKey } from '@docent/format/access/keys.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../deps.ts';
import { hashSecret, isSecret } from '../ids.ts';
import type { KeyToCheck } from '../process-state.ts';
import { findKeyByHash, touchApiKey } from './key-queries.ts';

/** Precision of `lastUsedAt`; a higher one would cost a write per request. */
const LAST_USED_SECONDS = 60;

type KeyDeps = Pick<Deps, 'database' | 'clock' | 'keyCache'>;

export interface Credentials {
  /** The `Authorization` header. */
  authorization: string | undefined;
  ip: IpAddress | undefined;
  /** The `Origin` header, which browsers send. */
  origin: string | undefined;
}

/**
 * Identifies the holder of a key. One indexed read, cached for a few seconds; a revoked key is
 * refused at once in this process, and in others within five seconds.
 * @param onKnown called with the key's holder before their address and origin are checked
 * @throws DocentError `unauthenticated`, `ip_not_allowed` or `origin_not_allowed`
 */
export async function authenticate(
  deps: KeyDeps & Pick<Deps, 'logger'>,
  credentials: Credentials,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  const key = await findKey(deps, credentials.authorization);
  const actor = holderOf(key);
  onKnown(actor);
  requireAllowedIp(key, credentials.ip);
  requireAllowedOrigin(key, credentials.origin);
  noteUse(deps, key);
  return actor;
}

function holderOf(key: KeyToCheck): Actor {
  const { organizationId, plan } = key;
  if (key.kind === 'assistant' && key.siteId !== null)
    return { kind: 'assistant-key', keyId: key.id, organizationId, plan, siteId: key.siteId };
  return {
    kind: 'admin-key',
    keyId: key.id,
    organizationId,
    plan,
    scopes: key.scopes,
    siteIds: key.siteIds,
  };
}

async function findKey(
  { database, clock, keyCache }: KeyDeps,
  authorization: string | undefined,
): Promise<KeyToCheck> {
  if (authorization === undefined) {
    throw new DocentError(
      'unauthenticated',
      'Send a key in the header "Authorization: Bearer <key>", or sign in.',
    );
  }
  const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (text === undefined || !parseKey(text)) {
    throw new DocentError(
      'unauthenticated',
      'The Authorization header contains no complete key; it must be "Bearer svc_…" or "Bearer svc_dsc_…".',
    );
  }
  const hash = hashSecret(text);
  const key = await keyCache.find(hash, () => findKeyByHash(database.queries, hash));
  if (!key || !isSecret(hash, key.hash))
    throw new DocentError('unauthenticated', 'The key is unknown.');
  if (key.revokedAt)
    throw new DocentError('unauthenticated', 'The key was revoked; use another one.');
  if (key.expiresAt && key.expiresAt <= clock.now())
    throw new DocentError('unauthenticated', 'The key has expired; create a new one.');
  return key;
}

function requireAllowedIp(key: KeyToCheck, ip: IpAddress | undefined): void {
  if (!allowsIp(key.ipAllowlist, ip))
    throw new DocentError(
      'ip_not_allowed',
      'This key may not be used from this address; it has an IP allowlist.',
    );
  if (!allowsIp(key.allowedAddresses ?? [], ip))
    throw new DocentError(
      'ip_not_allowed',
      'The organization allows its admin keys from some addresses only, and not from this one.',
    );
}

function requireAllowedOrigin(key: KeyToCheck, origin: string | undefined): void {
  if (key.originAllowlist.length === 0) return;
  if (origin !== undefined && key.originAllowlist.includes(origin.toLowerCase())) return;
  throw new DocentError(
    'origin_not_allowed',
    'This key may be used from other web origins only; add this one to it (docent keys change --origin), or use a key without origins.',
  );
}

/** Not awaited: a request does not fail because its time could not be recorded. */
function noteUse(
  { database, clock, logger }: Pick<Deps, 'database' | 'clock' | 'logger'>,
  key: KeyToCheck,
): void {
  const now = clock.now();
  const since = new Date(now.getTime() - LAST_USED_SECONDS * 1000);
  if (key.lastUsedAt && key.lastUsedAt >= since) return;
  // The key is cached for a while; its use must not be recorded again from there.
  key.lastUsedAt = now;
  touchApiKey(database.queries, key.id, now, since).catch((error: unknown) => {
    logger.warn(
      { keyId: key.id, reason: errorMessage(error) },
      'could not record the use of a key',
    );
  });
}
