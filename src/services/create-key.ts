import { randomBytes } from 'node:crypto';
import { parseIpRange } from '../core/access/ip.ts';
import { formatKey, KEY_RANDOM_BYTES, type KeyKind, type KeyScope, maskKey } from '../core/access/keys.ts';
import { limitsFrom } from '../core/access/limits.ts';
import { type Actor, requirePermission } from '../core/access/may.ts';
import { DocentError, type FieldError } from '../core/errors.ts';
import { type ApiKeyRow, insertApiKey } from '../db/api-keys.ts';
import type { Deps } from './deps.ts';
import { findActorSite } from './find-actor-site.ts';
import { createUlid, hashSecret } from './ids.ts';

const DAY_MS = 86_400_000;

export type ExpiryDays = 7 | 30 | 60 | 90;

export interface KeyOptions {
  kind: KeyKind;
  name: string;
  /** Names the site of an assistant key. */
  site?: string;
  /** `null` for never. */
  expiresInDays: ExpiryDays | null;
  scopes: KeyScope[];
  ipAllowlist: string[];
  originAllowlist: string[];
}

/**
 * Creates a key. The key itself is in the result and nowhere else.
 * @throws DocentError `invalid_request`, `site_not_found`, `rate_limited`
 */
export async function createKey(
  deps: Pick<Deps, 'database' | 'clock' | 'limiter' | 'config'>,
  actor: Actor,
  options: KeyOptions,
): Promise<ApiKeyRow & { key: string }> {
  requirePermission(actor, 'keys.write');
  const errors = faultsOf(options);
  if (errors.length > 0) throw new DocentError('invalid_request', errors.map((error) => error.message).join(' '), { errors });
  const site = options.site === undefined ? undefined : await findActorSite(deps, actor, options.site);
  await requireRoomForKey(deps, actor);

  const createdAt = deps.clock.now();
  const key = formatKey(options.kind, randomBytes(KEY_RANDOM_BYTES));
  const row: ApiKeyRow = {
    id: createUlid(createdAt),
    kind: options.kind,
    siteId: site?.id ?? null,
    name: options.name,
    masked: maskKey(key),
    scopes: options.scopes,
    ipAllowlist: options.ipAllowlist,
    originAllowlist: options.originAllowlist.map((origin) => new URL(origin).origin),
    expiresAt: options.expiresInDays === null ? null : new Date(createdAt.getTime() + options.expiresInDays * DAY_MS),
    revokedAt: null,
    lastUsedAt: null,
    createdAt,
  };
  await insertApiKey(deps.database.queries, { ...row, hash: hashSecret(key), organisationId: actor.organisationId });
  return { ...row, key };
}

/** The limit contains what a stolen admin key can do; the operator owns the machine anyway. */
async function requireRoomForKey({ limiter, config }: Pick<Deps, 'limiter' | 'config'>, actor: Actor): Promise<void> {
  if (actor.kind === 'operator') return;
  const limit = limitsFrom(config.limits).keysPerOrganisation;
  const state = await limiter.consume(limit, actor.organisationId);
  if (state.allowed) return;
  throw new DocentError(
    'rate_limited',
    `An organisation may create ${limit.points} keys in an hour; try again in ${state.resetSeconds} seconds.`,
    {
      retryAfterSeconds: state.resetSeconds,
    },
  );
}

function faultsOf(options: KeyOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (options.kind === 'assistant' && options.site === undefined) {
    errors.push({ path: '/site', message: 'An assistant key belongs to one site; name it.' });
  }
  if (options.kind === 'admin' && options.site !== undefined) {
    errors.push({ path: '/site', message: 'An admin key belongs to the whole organisation; leave the site out.' });
  }
  if (options.kind === 'assistant' && options.scopes.length > 0) {
    errors.push({ path: '/scopes', message: 'Only admin keys have scopes; leave them out.' });
  }
  if (options.kind === 'admin' && options.originAllowlist.length > 0) {
    errors.push({
      path: '/originAllowlist',
      message: 'An admin key must not be used in a browser, so it has no Origin allowlist.',
    });
  }
  for (const [index, text] of options.ipAllowlist.entries()) {
    if (!parseIpRange(text)) {
      errors.push({
        path: `/ipAllowlist/${index}`,
        message: `"${text}" is not an address or a CIDR range, or it allows every address.`,
      });
    }
  }
  for (const [index, text] of options.originAllowlist.entries()) {
    if (!isOrigin(text))
      errors.push({ path: `/originAllowlist/${index}`, message: `"${text}" is not an origin such as https://example.com.` });
  }
  return errors;
}

/** Scheme, host and port, nothing more. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase().replace(/\/$/, '');
}
