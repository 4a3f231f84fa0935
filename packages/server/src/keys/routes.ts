import { KEY_SCOPES } from '@docent/format/access/keys.ts';
import { limitsFrom } from '@docent/format/access/limits.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { noteConsequences } from '../kernel/operations/identify.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { showLimit } from '../kernel/operations/rate-limits.ts';
import { changeKey, createKey, listKeys, revokeKey } from './manage-keys.ts';
import type { ApiKeyRow } from './queries.ts';

const keyExample = {
  id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
  kind: 'assistant',
  name: 'Website chat',
  masked: 'svc_dsc_…h7Kq',
  projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  site: 'acme',
  siteIds: [],
  sites: [],
  siteNames: [],
  scopes: [],
  ipAllowlist: [],
  originAllowlist: ['https://acme.example'],
  createdBy: makerExample,
  expiresAt: '2027-02-19T09:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-21T10:41:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};

const keySchema = field.resource(
  'ApiKey',
  'An API key, without its secret.',
  {
    id: field.text('Identifier of the key, for example to revoke it.'),
    kind: field.choice(
      ['assistant', 'admin'],
      '`assistant` keys are public and belong to one site; `admin` keys are secret.',
    ),
    name: field.text('The name that identifies the key.'),
    masked: field.text('Prefix and last four characters of the key.'),
    projectId: field.text.orNull('The site of an assistant key; `null` for admin keys.'),
    site: field.text.orNull('The identifier of that site.'),
    siteIds: field.texts(
      'Project ids of the sites that an admin key is bound to. Empty: every site, and the organization as a whole.',
    ),
    sites: field.texts('The identifiers of those sites that exist.'),
    siteNames: field.texts('The names of those sites, in the same order.'),
    scopes: field.list(z.enum(KEY_SCOPES), 'Scopes of an admin key. Empty: all.'),
    ipAllowlist: field.texts('Addresses and ranges that may use the key. Empty: every address.'),
    originAllowlist: field.texts('Web origins that may use an assistant key. Empty: every origin.'),
    createdBy: makerSchema,
    expiresAt: field.time.orNull('When the key expires; `null` if it never expires.'),
    revokedAt: field.time.orNull('When the key was revoked; `null` while it is in use.'),
    lastUsedAt: field.time.orNull('When the key was last used, to the minute.'),
    createdAt: field.time('When the key was created.'),
  },
  keyExample,
);

function keyView({ siteId, siteSlugs, maker, ...key }: ApiKeyRow): z.infer<typeof keySchema> {
  return { ...key, projectId: siteId, sites: siteSlugs, createdBy: makerView(maker) };
}

const keyName = plainText(1, 100).describe('A name that identifies the key.');
const originAllowlist = z
  .array(z.string().max(300))
  .max(100)
  .describe('Web origins that may use an assistant key. Empty: every origin.');

const newKey = z
  .object({
    kind: field.choice(
      ['assistant', 'admin'],
      '`assistant`: public, for one site; `admin`: secret, for the organization.',
    ),
    name: keyName,
    site: field.text.optional(
      'Identifier, project id or hostname of the site. Assistant keys need it; admin keys have none.',
    ),
    siteIds: field.optional(
      z.array(z.string().max(253)).max(100),
      'Binds an admin key to sites, by identifier, project id or hostname: it reaches only these, and nothing that concerns the whole organization, such as members and the audit log. Empty: every site. By default those of the creating key.',
    ),
    expiresInDays: field.optional(
      z.union([z.literal([7, 30, 60, 90]), z.null()], 'must be 7, 30, 60, 90, or null for never'),
      'Days until the key expires; `null` if it never expires. By default 90, or the rest of the lifetime of the creating key.',
    ),
    scopes: field.optional(
      z.array(z.enum(KEY_SCOPES)).max(KEY_SCOPES.length),
      'Scopes of an admin key: `read` for GET and HEAD, `write` also for changes, `keys` to create and revoke keys. None lets a key manage members. Each includes `read`; empty means all. By default those of the creating key.',
    ),
    ipAllowlist: field.optional(
      z.array(z.string().max(64)).max(100),
      'IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty: every address. By default those of the creating key.',
    ),
    originAllowlist: originAllowlist.default([]),
  })
  .meta({
    examples: [
      {
        kind: 'assistant',
        name: 'Website chat',
        site: 'acme',
        expiresInDays: 90,
        originAllowlist: ['https://acme.example'],
      },
    ],
  });

const createdKey = keySchema
  .extend({ key: field.text('The key itself. It is returned only in this response.') })
  .meta({
    id: 'NewApiKey',
    description: 'An API key with its secret.',
    examples: [
      { ...keyExample, lastUsedAt: null, key: 'svc_dsc_2mVxQ8sT4nB7cD1fG5hJ9kL3pR6wY0zAh7Kq' },
    ],
  });

/** Registers the routes of `/v1/keys`. */
export function keyRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Keys');
  operation({
    route: 'POST /v1/keys',
    operationId: 'createKey',
    summary: 'Create a key',
    description:
      'Creates an API key. Only this response contains the key itself; store it. Its name and its origins can be changed later, its other options cannot. It needs the scope `keys`. A key can only create keys within its own scopes, sites, addresses and expiry.',
    permission: 'keys.write',
    body: newKey,
    answer: createdKey,
    status: 201,
    limit: limitsFrom(deps.config.limits).keysPerOrganization,
    run: async ({ actor, body, reply }) => {
      const created = await createKey(deps, actor, body, showLimit(reply));
      return { ...keyView(created), key: created.key };
    },
  });
  operation({
    route: 'GET /v1/keys',
    operationId: 'listKeys',
    summary: 'List keys',
    description:
      'Lists the API keys of your organization, newest first, revoked and expired keys included. Secrets are not shown.',
    permission: 'keys.read',
    query: z.object(paging(1000, 1000)),
    answer: listOf(keySchema, 'The keys, newest first.', 'keys'),
    run: async ({ actor, query }) => pageOf(await listKeys(deps, actor, query), keyView, 'keys'),
  });
  operation({
    route: 'PATCH /v1/keys/:keyId',
    operationId: 'changeKey',
    summary: 'Change a key',
    description:
      'Changes the name of a key, or the web origins that may use an assistant key, and keeps what is not given. Pages of an origin that is removed are refused immediately, or within five seconds if several processes serve. To change anything else, create another key.',
    permission: 'keys.write',
    body: z
      .strictObject({ name: keyName, originAllowlist })
      .partial()
      .meta({ examples: [{ originAllowlist: ['https://acme.example', 'https://acme.test'] }] }),
    answer: keySchema,
    run: async ({ actor, params, body }) =>
      keyView(await changeKey(deps, actor, params.keyId, body)),
  });
  operation({
    route: 'DELETE /v1/keys/:keyId',
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'Revokes a key permanently. It is refused immediately, or within five seconds if several processes serve. Keys and open invitations created with it are revoked too.',
    permission: 'keys.write',
    answer: z.null().describe('Key revoked.'),
    run: async ({ actor, params, request }) =>
      noteConsequences(request, await revokeKey(deps, actor, params.keyId)),
  });
}
