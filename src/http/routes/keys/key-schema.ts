import { z } from 'zod';
import type { ApiKeyRow } from '../../../db/api-keys.ts';

const time = z.iso.datetime().nullable();

export const keySchema = z
  .object({
    id: z.string(),
    kind: z.enum(['assistant', 'admin']),
    name: z.string(),
    masked: z.string().describe('Prefix and last four characters.'),
    projectId: z.string().nullable().describe('The site of an assistant key.'),
    scopes: z.array(z.enum(['read', 'write'])).describe('Empty: everything.'),
    ipAllowlist: z.array(z.string()),
    originAllowlist: z.array(z.string()),
    expiresAt: time,
    revokedAt: time,
    lastUsedAt: time.describe('To the minute.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' });

export function keyView(key: ApiKeyRow): z.infer<typeof keySchema> {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    masked: key.masked,
    projectId: key.siteId,
    scopes: key.scopes,
    ipAllowlist: key.ipAllowlist,
    originAllowlist: key.originAllowlist,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
