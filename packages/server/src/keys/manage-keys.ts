import { randomBytes } from 'node:crypto';
import { parseIpRange } from '@docent/format/access/ip.ts';
import {
  faultsBeyondCreator,
  formatKey,
  KEY_RANDOM_BYTES,
  KEY_SCOPES,
  type KeyKind,
  type KeyScope,
  maskKey,
} from '@docent/format/access/keys.ts';
import { type Actor, actorId, requirePermission, siteIdsOf } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError, type FieldError } from '@docent/format/errors.ts';
import type { Consequence } from '../kernel/access/consequence.ts';
import { countAction } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findActorSite } from '../kernel/sites/find-site.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import {
  type ApiKeyRow,
  findKeyInUse,
  findOrganizationKey,
  insertApiKey,
  isKeyWithin,
  listApiKeys,
  updateApiKey,
} from './queries.ts';
import { revokeKeyFamilies } from './revoke-keys.ts';

type ExpiryDays = 7 | 30 | 60 | 90;

export interface KeyOptions {
  kind: KeyKind;
  name: string;
  /** The site of an assistant key. */
  site?: string;
  /**
   * Identifiers, project ids or hostnames of the sites that an admin key is bound to. Default to
   * those of the creating key.
   */
  siteIds?: string[] | undefined;
  /** `null` for never. Defaults to 90, or to the lifetime of the creating key. */
  expiresInDays?: ExpiryDays | null | undefined;
  /** Default to those of the creating key. */
  scopes?: KeyScope[] | undefined;
  /** Defaults to that of the creating key. */
  ipAllowlist?: string[] | undefined;
  originAllowlist: string[];
}

const DEFAULT_DAYS = 90;

/**
 * Creates a key, which can never do more than the key that creates it. The key itself is only in
 * the result.
 * @param onCounted called with the remaining limit
 * @throws DocentError `invalid_request`, `site_not_found`, `key_too_wide`, `rate_limited`
 */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'limiter' | 'config' | 'accountable'>,
  actor: Actor,
  options: KeyOptions,
  onCounted?: (state: RateLimitState) => void,
): Promise<ApiKeyRow & { key: string }> {
  requirePermission(actor, options.kind === 'admin' ? 'admin-keys.write' : 'keys.write');
  requireValid(options);
  const site =
    options.site === undefined ? undefined : await findActorSite(deps, actor, options.site);
  const sites = await Promise.all(
    (options.siteIds ?? []).map((name) => findActorSite(deps, actor, name)),
  );
  const siteIds = options.siteIds && [...new Set(sites.map(({ id }) => id))];
  // The limit bounds the damage of a stolen admin key.
  await countAction(deps, actor, 'keysPerOrganization', onCounted);

  const createdAt = deps.clock.now();
  const key = formatKey(options.kind, randomBytes(KEY_RANDOM_BYTES));
  return deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, actor.organizationId);
    const creator =
      actor.kind === 'admin-key'
        ? await readCreator(transaction, actor.keyId, createdAt)
        : undefined;
    const row = {
      id: createUlid(createdAt),
      kind: options.kind,
      siteId: site?.id ?? null,
      name: options.name,
      masked: maskKey(key),
      ...boundsOf({ ...options, siteIds }, createdAt, creator),
      originAllowlist: originsOf(options.originAllowlist),
      createdBy: creator?.id ?? null,
      madeBy: actorId(actor),
      revokedAt: null,
      lastUsedAt: null,
      createdAt,
    };
    const stored = await insertApiKey(transaction, {
      ...row,
      hash: hashSecret(key),
      organizationId: actor.organizationId,
    });
    return { ...stored, key };
  });
}

/** The cached creating key may be some seconds old; it must not create one after it was revoked. */
async function readCreator(transaction: QueryRunner, keyId: string, now: Date): Promise<ApiKeyRow> {
  const creator = await findKeyInUse(transaction, keyId, now);
  if (!creator)
    throw new DocentError(
      'unauthenticated',
      'The key was revoked or has expired; use another one.',
    );
  return creator;
}

/**
 * Returns the restrictions of a new key: the requested ones, and otherwise those of the creating
 * key.
 * @throws DocentError `key_too_wide`
 */
function boundsOf(
  options: KeyOptions,
  createdAt: Date,
  creator: ApiKeyRow | undefined,
): Pick<ApiKeyRow, 'siteIds' | 'scopes' | 'ipAllowlist' | 'expiresAt'> {
  const scopes = options.kind === 'admin' ? (options.scopes ?? creator?.scopes ?? []) : [];
  const bounds = {
    scopes:
      scopes.length === 0
        ? []
        : KEY_SCOPES.filter((scope) => scope === 'read' || scopes.includes(scope)),
    siteIds: options.kind === 'admin' ? (options.siteIds ?? creator?.siteIds ?? []) : [],
    ipAllowlist: options.ipAllowlist ?? creator?.ipAllowlist ?? [],
    expiresAt: expiryOf(options.expiresInDays, createdAt, creator?.expiresAt ?? null),
  };
  const errors = creator ? faultsBeyondCreator(creator, { ...bounds, kind: options.kind }) : [];
  if (errors.length > 0)
    throw new DocentError('key_too_wide', errors.map((error) => error.message).join(' '), {
      errors,
    });
  return bounds;
}

function expiryOf(
  days: number | null | undefined,
  createdAt: Date,
  latest: Date | null,
): Date | null {
  if (days === null) return null;
  const expiresAt = new Date(createdAt.getTime() + (days ?? DEFAULT_DAYS) * DAY_MS);
  return days === undefined && latest !== null && latest < expiresAt ? latest : expiresAt;
}

function requireValid(options: KeyOptions): void {
  const errors = faultsOf(options);
  if (errors.length > 0)
    throw new DocentError('invalid_request', errors.map((error) => error.message).join(' '), {
      errors,
    });
}

function faultsOf({
  kind,
  site,
  siteIds = [],
  scopes = [],
  ipAllowlist = [],
  originAllowlist,
}: KeyOptions): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (path: string, message: string) => errors.push({ path, message });
  if (kind === 'assistant') {
    if (site === undefined) refuse('/site', 'An assistant key belongs to one site; specify it.');
    if (siteIds.length > 0)
      refuse('/siteIds', 'Only admin keys are bound to sites; specify `site` instead.');
    if (scopes.length > 0) refuse('/scopes', 'Only admin keys have scopes; omit them.');
  } else {
    if (site !== undefined)
      refuse('/site', 'An admin key belongs to the organization; bind it to sites with `siteIds`.');
    if (originAllowlist.length > 0)
      refuse(
        '/originAllowlist',
        'An admin key must not be used in a browser, so it has no Origin allowlist.',
      );
  }
  for (const [index, text] of ipAllowlist.entries())
    if (!parseIpRange(text))
      refuse(
        `/ipAllowlist/${index}`,
        `"${text}" is not an address or a CIDR range, or it allows every address.`,
      );
  for (const [index, text] of originAllowlist.entries())
    if (!isOrigin(text)) {
      const message = `"${text}" is not an origin such as https://example.com. Wildcards are not supported; list each origin.`;
      refuse(`/originAllowlist/${index}`, message);
    }
  return errors;
}

/** Scheme, host and port only; a host with a wildcard would never match. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !text.includes('*') &&
    url.origin === text.toLowerCase().replace(/\/$/, '')
  );
}

function originsOf(originAllowlist: readonly string[]): string[] {
  return originAllowlist.map((origin) => new URL(origin).origin);
}

/**
 * Changes the name of a key in use, and the origins of an assistant key. What else limits a key is
 * fixed for its life.
 * @throws DocentError `key_not_found`, `invalid_request`
 */
export async function changeKey(
  { database, clock, keyCache }: Pick<Deps, 'database' | 'clock' | 'keyCache'>,
  actor: Actor,
  keyId: string,
  changes: { name?: string | undefined; originAllowlist?: string[] | undefined },
): Promise<ApiKeyRow> {
  requirePermission(actor, 'keys.write');
  if (!isUlid(keyId)) throw notFound();
  const { queries } = database;
  const { organizationId } = actor;
  const place = { id: keyId, organizationId, siteIds: siteIdsOf(actor) };
  const key = await findOrganizationKey(queries, place, clock.now());
  if (!key) throw notFound();
  if (key.kind === 'admin') requirePermission(actor, 'admin-keys.write');
  const { kind, siteId, name, originAllowlist } = key;
  const options = {
    kind,
    name: changes.name ?? name,
    ...(siteId !== null && { site: siteId }),
    originAllowlist: changes.originAllowlist ?? originAllowlist,
  };
  requireValid(options);
  const changed = { name: options.name, originAllowlist: originsOf(options.originAllowlist) };
  await updateApiKey(queries, keyId, changed);
  keyCache.invalidate(keyId);
  return { ...key, ...changed };
}

/**
 * Returns the keys of the actor's organization, newest first, only in masked form. @throws
 * DocentError `invalid_request`
 */
export async function listKeys(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<ApiKeyRow>> {
  requirePermission(actor, 'keys.read');
  const siteIds = siteIdsOf(actor);
  return readPage(
    request,
    (slice) => listApiKeys(database.queries, actor.organizationId, { siteIds, ...slice }),
    byCreation,
  );
}

/**
 * Revokes a key at once, and with it every key and open invitation that was created with it.
 * Revoking it again is no error.
 * @returns what else was revoked
 * @throws DocentError `key_not_found`
 */
export async function revokeKey(
  { database, clock, keyCache }: Pick<Deps, 'database' | 'clock' | 'keyCache'>,
  actor: Actor,
  keyId: string,
): Promise<Consequence[]> {
  requirePermission(actor, 'keys.write');
  if (!isUlid(keyId)) throw notFound();
  const revoked = await database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, actor.organizationId);
    const siteIds = siteIdsOf(actor);
    if (siteIds.length > 0 && !(await isKeyWithin(transaction, keyId, siteIds))) throw notFound();
    const family = await revokeKeyFamilies(transaction, actor.organizationId, [keyId], clock.now());
    if (family.keys.some(({ kind }) => kind === 'admin'))
      requirePermission(actor, 'admin-keys.write');
    return family;
  });
  for (const id of revoked.keyIds) keyCache.invalidate(id);
  if (revoked.keyIds.length === 0) throw notFound();
  return revoked.consequences.filter(({ thing }) => thing !== keyId);
}

function notFound(): DocentError {
  return new DocentError('key_not_found', 'The organization has no such key.');
}
