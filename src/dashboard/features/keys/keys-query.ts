import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';

export type ApiKey = Schema<'ApiKey'>;
export type NewApiKey = Schema<'NewApiKey'>;

/** All keys of an organization. */
export function keysQuery(org: string) {
  return queryOptions({ queryKey: [org, 'keys'], queryFn: async () => (await bodyOf(api.GET('/v1/keys'))).keys });
}

const SOON_MS = 14 * 86_400_000;

/** Whether a key is valid, and for how long. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'active' | 'expires soon' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - now;
  return left <= 0 ? 'expired' : left < SOON_MS ? 'expires soon' : 'active';
}

/** Whether requests with a key are accepted. */
export const isUsable = (key: ApiKey): boolean => ['active', 'expires soon'].includes(stateOf(key));
