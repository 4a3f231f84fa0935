import { z } from 'zod';
import { KEY_SCOPES } from '../../../core/access/keys.ts';
import type { ApiKeyRow } from '../../../db/api-keys.ts';

const time = z.iso.datetime().nullable();

export const keyExample = {
  id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
  kind: 'assistant',
  name: 'Website chat',
  masked: 'svc_dsc_…h7Kq',
  projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  site: 'acme',
  scopes: [],
  ipAllowlist: [],
  originAllowlist: ['https://acme.example'],
  createdBy: null,
  expiresAt: '2027-02-19T09:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-21T10:41:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};

export const keySchema = z
  .object({
    id: z.string().describe('Identifier of the key, for example to revoke it.'),
    kind: z.enum(['assistant', 'admin']).describe('`assistant` keys are public and belong to one site; `admin` keys are secret.'),
    name: z.string().describe('The name that it was created with.'),
    masked: z.string().describe('Prefix and last four characters of the key.'),
    projectId: z.string().nullable().describe('The site of an assistant key; `null` for admin keys.'),
    site: z.string().nullable().describe('The identifier of that site.'),
    scopes: z.array(z.enum(KEY_SCOPES)).describe('Scopes of an admin key. Empty: all.'),
    ipAllowlist: z.array(z.string()).describe('Addresses and ranges that may use the key. Empty: every address.'),
    originAllowlist: z.array(z.string()).describe('Web origins that may use an assistant key. Empty: every origin.'),
    createdBy: z.string().nullable().describe('The key that created this one; `null` if the operator did.'),
    expiresAt: time.describe('When the key expires; `null` if it never expires.'),
    revokedAt: time.describe('When the key was revoked; `null` while it is in use.'),
    lastUsedAt: time.describe('When the key was last used, to the minute.'),
    createdAt: z.iso.datetime().describe('When the key was created.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.', examples: [keyExample] });

export function keyView(key: ApiKeyRow): z.infer<typeof keySchema> {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    masked: key.masked,
    projectId: key.siteId,
    site: key.site,
    scopes: key.scopes,
    ipAllowlist: key.ipAllowlist,
    originAllowlist: key.originAllowlist,
    createdBy: key.createdBy,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
