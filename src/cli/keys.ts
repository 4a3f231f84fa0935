import type { ApiClient } from './api-client.ts';
import type { Output } from './output.ts';

export interface CreateKeyOptions {
  kind: 'assistant' | 'admin';
  name: string;
  /** Slug of the site; for assistant keys. */
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
  expiresAt: string | null;
  revokedAt: string | null;
}

/** `docent keys create`: prints the new key; it is not shown again. */
export async function createKey(api: ApiClient, options: CreateKeyOptions, output: Output): Promise<string> {
  const created = await api.request<{ key: string } & ListedKey>({ method: 'POST', path: '/v1/keys', body: options });
  output.print(created.key);
  output.json(created);
  return created.key;
}

/** `docent keys list` */
export async function listKeys(api: ApiClient, output: Output): Promise<void> {
  const { keys } = await api.request<{ keys: ListedKey[] }>({ method: 'GET', path: '/v1/keys' });
  const state = (key: ListedKey) =>
    key.revokedAt ? 'revoked' : key.expiresAt ? `until ${key.expiresAt.slice(0, 10)}` : 'for good';
  for (const key of keys)
    output.print(`${key.id}  ${key.kind.padEnd(9)}  ${key.masked.padEnd(20)}  ${state(key).padEnd(16)}  ${key.name}`);
  output.json({ keys });
}

/** `docent keys revoke <id>` */
export async function revokeKey(api: ApiClient, id: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` });
  output.print(`Revoked ${id}.`);
  output.json({ id, revoked: true });
}
