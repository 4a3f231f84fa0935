import { sql } from 'kysely';
import type { Plan } from '../core/access/may.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { KeyKind, KeyScope } from './tables.ts';

/** A key as lists show it. */
export interface ApiKeyRow {
  id: string;
  kind: KeyKind;
  siteId: string | null;
  name: string;
  masked: string;
  scopes: KeyScope[];
  ipAllowlist: string[];
  originAllowlist: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** A key as a check needs it, with its organisation's plan. */
export interface KeyToCheck extends ApiKeyRow {
  hash: string;
  organisationId: string;
  plan: Plan;
}

const columns = [
  'api_keys.id as id',
  'api_keys.kind as kind',
  'api_keys.site_id as siteId',
  'api_keys.name as name',
  'api_keys.masked as masked',
  'api_keys.scopes as scopes',
  'api_keys.ip_allowlist as ipAllowlist',
  'api_keys.origin_allowlist as originAllowlist',
  'api_keys.expires_at as expiresAt',
  'api_keys.revoked_at as revokedAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.created_at as createdAt',
] as const;

export async function insertApiKey(
  queries: QueryRunner,
  key: ApiKeyRow & { hash: string; organisationId: string },
): Promise<void> {
  await queries
    .insertInto('api_keys')
    .values({
      id: key.id,
      organisation_id: key.organisationId,
      site_id: key.siteId,
      kind: key.kind,
      name: key.name,
      hash: key.hash,
      masked: key.masked,
      scopes: key.scopes,
      ip_allowlist: key.ipAllowlist,
      origin_allowlist: key.originAllowlist,
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
      created_at: key.createdAt,
    })
    .execute();
}

/** One read by the unique index on the hash. */
export async function findKeyByHash(queries: QueryRunner, hash: string): Promise<KeyToCheck | undefined> {
  return queries
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.organisation_id')
    .select([...columns, 'api_keys.hash as hash', 'api_keys.organisation_id as organisationId', 'organisations.plan as plan'])
    .where('api_keys.hash', '=', hash)
    .executeTakeFirst();
}

/** Every key of an organisation, revoked ones too, newest first. */
export async function listApiKeys(queries: QueryRunner, organisationId: string): Promise<ApiKeyRow[]> {
  return queries
    .selectFrom('api_keys')
    .select(columns)
    .where('organisation_id', '=', organisationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** @returns whether the organisation has such a key; revoking again keeps the first time */
export async function revokeApiKey(queries: QueryRunner, organisationId: string, id: string, now: Date): Promise<boolean> {
  const revoked = await queries
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', '=', id)
    .where('organisation_id', '=', organisationId)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Notes that a key was used, unless that was noted since `unlessSince`. */
export async function touchApiKey(queries: QueryRunner, id: string, now: Date, unlessSince: Date): Promise<void> {
  await queries
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', unlessSince)]))
    .execute();
}
