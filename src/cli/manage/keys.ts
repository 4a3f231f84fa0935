import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

export interface CreateKeyOptions {
  kind: 'assistant' | 'admin';
  name: string;
  /** Slug of the site, for assistant keys. */
  site?: string;
  /** 7, 30, 60 or 90; null for never. */
  expiresInDays?: number | null;
  scopes?: string[];
  ipAllowlist?: string[];
  originAllowlist?: string[];
}

interface ListedKey {
  id: string;
  kind: string;
  name: string;
  masked: string;
  site: string | null;
  scopes: string[];
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
}

/** `docent keys create`: prints the new key, which is not shown again, and its expiry. */
export async function createKey(api: ApiClient, options: CreateKeyOptions, output: Output): Promise<string> {
  const created = await api.request<{ key: string } & ListedKey>({ method: 'POST', path: '/v1/keys', body: options });
  output.print(created.key);
  if (!output.isJson)
    output.note(created.expiresAt === null ? 'It never expires.' : `It expires on ${dayOf(created.expiresAt)}.`);
  output.json(created);
  return created.key;
}

/** `docent keys list` */
export async function listKeys(api: ApiClient, output: Output): Promise<void> {
  const { keys } = await api.request<{ keys: ListedKey[] }>({ method: 'GET', path: '/v1/keys' });
  const head = ['ID', 'KIND', 'SITE', 'SCOPES', 'KEY', 'CREATED', 'EXPIRES', 'LAST USED', 'NAME'];
  output.print(formatTable([head, ...keys.map(cellsOf)]));
  output.json({ keys });
}

function cellsOf(key: ListedKey): string[] {
  const scopes = key.kind === 'assistant' ? '-' : key.scopes.join(',') || 'all';
  const expiry = key.expiresAt === null ? 'never' : dayOf(key.expiresAt);
  const expires = key.revokedAt === null ? expiry : 'revoked';
  const lastUsed = key.lastUsedAt === null ? 'never' : dayOf(key.lastUsedAt);
  return [key.id, key.kind, key.site ?? '-', scopes, key.masked, dayOf(key.createdAt), expires, lastUsed, key.name];
}

const dayOf = (time: string): string => time.slice(0, 10);

/** `docent keys revoke <id>` */
export async function revokeKey(api: ApiClient, id: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` });
  output.print(`Revoked ${id} and the keys that it created.`);
  output.json({ id, revoked: true });
}
