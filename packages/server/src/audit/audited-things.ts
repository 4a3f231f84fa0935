import { defaultAssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { AuditedThing } from '@docent/format/access/audit-words.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { defaultAnalyticsSettings } from '@docent/format/analytics/analytics-settings.ts';
import { sql } from 'kysely';
import { findOwnSite, findSiteSettings, type SiteRow } from '../kernel/sites/site-queries.ts';
import type { QueryRunner } from '../ports/database.ts';

/** Where to look for a thing: everything outside the organization is treated as missing. */
export interface ThingPlace {
  organizationId: string;
  /** The identifier of the thing, from the path or the response. */
  id: string | undefined;
  /** How the request names the site. */
  site: string | undefined;
  /** The branch of a preview. */
  branch: string | undefined;
  hostname: string | undefined;
  /** The groups of a reader. */
  groups: string | undefined;
}

/** A thing as it is now. */
export interface NamedThing {
  name: string | null;
  site: { id: string; name: string } | null;
  /** The properties whose changes are recorded; never secrets. */
  state?: object | undefined;
}

type Find = (queries: QueryRunner, place: ThingPlace) => Promise<NamedThing | undefined>;

/** Looks up the site of a request, then something in it. */
function inSite(
  find: (
    queries: QueryRunner,
    site: SiteRow,
    place: ThingPlace,
  ) => Promise<Omit<NamedThing, 'site'>>,
): Find {
  return async (queries, place) => {
    const site =
      place.site === undefined
        ? undefined
        : await findOwnSite(queries, place.organizationId, place.site);
    return site && { ...(await find(queries, site, place)), site };
  };
}

const deploymentName = async (
  queries: QueryRunner,
  siteId: string,
  id: string | null | undefined,
) => {
  if (!id) return undefined;
  const row = await queries
    .selectFrom('deployments')
    .select(['created_at as createdAt', 'pinned', 'git'])
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { git, createdAt, pinned } = row;
  // Without a commit, the time tells deployments apart.
  return {
    name: git?.message || `of ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    pinned,
  };
};

const finders: Record<AuditedThing, Find> = {
  site: inSite(async () => ({ name: null })),
  'site-settings': inSite(async (_, { name, slug, settings }) => ({
    name: null,
    state: { name, slug, ...settings },
  })),
  'assistant-settings': inSite(async (queries, { id }) => ({
    name: null,
    state: {
      ...defaultAssistantSettings,
      ...(await findSiteSettings(queries, id, 'assistant_settings')),
    },
  })),
  'analytics-settings': inSite(async (queries, { id }) => ({
    name: null,
    state: {
      ...defaultAnalyticsSettings,
      ...(await findSiteSettings(queries, id, 'analytics_settings')),
    },
  })),
  'security-settings': inSite(async (_, { security }) => ({ name: null, state: security })),
  'site-access': inSite(async (queries, { id }) => {
    const access = await queries
      .selectFrom('site_access')
      .selectAll()
      .where('site_id', '=', id)
      .executeTakeFirst();
    if (!access) return { name: null, state: { visibility: 'public' } };
    // When a way to sign in changed stands for its secrets.
    const methods = Object.entries(access.methods).map(([method, { changedAt }]) => [
      method,
      `changed ${changedAt}`,
    ]);
    const visibility = access.is_private ? 'private' : 'public';
    return {
      name: null,
      state: { visibility, sessionDays: access.session_days, ...Object.fromEntries(methods) },
    };
  }),
  'reader-view': inSite(async (_, __, { groups }) => ({ name: groups || null })),
  source: inSite(async (_, __, { branch }) => ({ name: branch ?? null })),
  deployment: inSite(async (queries, site, { id }) => {
    const { name = null, ...state } = (await deploymentName(queries, site.id, id)) ?? {};
    return { name, state };
  }),
  'live-deployment': inSite(async (queries, site, { id }) => {
    const [wanted, live] = [
      await deploymentName(queries, site.id, id),
      await deploymentName(queries, site.id, site.liveDeploymentId),
    ];
    return { name: wanted?.name ?? null, state: { live: live?.name ?? null } };
  }),
  preview: inSite(async (queries, site, { id, branch }) => {
    const preview = await queries
      .selectFrom('previews')
      .select([
        'branch',
        'lifetime_days as lifetimeDays',
        sql<boolean>`password_hash IS NOT NULL`.as('hasPassword'),
      ])
      .where('site_id', '=', site.id)
      .where(({ eb }) =>
        branch === undefined ? eb('name', '=', id ?? '') : eb('branch', '=', branch),
      )
      .executeTakeFirst();
    const { branch: name, ...state } = preview ?? { branch: branch ?? id ?? null };
    return { name, state: preview && state };
  }),
  hostname: inSite(async (_, __, { hostname }) => ({ name: hostname ?? null })),
  stream: inSite(async (queries, site, { id }) => {
    const row = await queries
      .selectFrom('analytics_streams')
      .select(['name', 'enabled', 'target'])
      .where('site_id', '=', site.id)
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    if (!row) return { name: null };
    const { name, enabled, target } = row;
    // The path and the query of a webhook may contain a secret.
    const to =
      target.kind === 'webhook'
        ? { webhook: new URL(target.url).host }
        : { bucket: target.bucket, prefix: target.prefix };
    return { name, state: { name, enabled, ...to } };
  }),
  webhook: async (queries, { organizationId, id }) => {
    const row = await queries
      .selectFrom('webhooks')
      .select(['name', 'enabled', 'format', 'events', 'url'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    if (!row) return { name: null, site: null };
    const { name, url, ...state } = row;
    // The path of an address may be a secret.
    return { name, site: null, state: { name, ...state, webhook: new URL(url).host } };
  },
  'github-app': async (queries, { organizationId, id }) => {
    const state = await queries
      .selectFrom('github_apps')
      .select(['name', 'host', 'owner'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    return { name: state?.name ?? null, site: null, state };
  },
  'git-source': inSite(async (queries, site, { id }) => {
    const state = await queries
      .selectFrom('git_sources')
      .select([
        'url',
        'branch',
        'folder',
        'provider',
        'automatic',
        'credentials',
        'username',
        'public_key as publicKey',
      ])
      .select(['previews', 'forks', 'fails_on as failsOn', 'path'])
      .select(['fails_on_answers as failsOnAnswers', 'vale'])
      .select(['submodules', 'submodule_hosts as submoduleHosts', 'lfs'])
      .where((where) => where.or([where('site_id', '=', site.id), where('part_of', '=', site.id)]))
      // Without an id, the base is meant.
      .orderBy(sql`id = ${id ?? ''}`, 'desc')
      .orderBy(sql`site_id IS NULL`)
      .executeTakeFirst();
    return { name: state?.url ?? null, state };
  }),
  feedback: inSite(async (queries, site, { id }) => {
    const state = await queries
      .selectFrom('feedback')
      .select(['status', 'note'])
      .where('site_id', '=', site.id)
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    return { name: null, state };
  }),
  export: async (queries, { organizationId, id, site }) => {
    const job = await queries
      .selectFrom('export_jobs')
      .innerJoin('sites', 'sites.id', 'export_jobs.site_id')
      .select(['sites.id', 'sites.name'])
      .where('export_jobs.organization_id', '=', organizationId)
      .where('export_jobs.id', '=', id ?? '')
      .executeTakeFirst();
    const of =
      job ?? (site === undefined ? undefined : await findOwnSite(queries, organizationId, site));
    return of && { name: null, site: of };
  },
  key: async (queries, { organizationId, id }) => {
    const key = await queries
      .selectFrom('api_keys')
      .leftJoin('sites', 'sites.id', 'api_keys.site_id')
      .select([
        'api_keys.name',
        'api_keys.kind',
        'api_keys.site_ids as siteIds',
        'api_keys.scopes',
        'api_keys.expires_at as expiresAt',
      ])
      .select([
        'api_keys.ip_allowlist as ipAllowlist',
        'api_keys.origin_allowlist as originAllowlist',
      ])
      .select([
        'api_keys.may_create_keys as mayCreateKeys',
        'sites.id as siteId',
        'sites.name as siteName',
      ])
      .where('api_keys.organization_id', '=', organizationId)
      .where('api_keys.id', '=', id ?? '')
      .executeTakeFirst();
    if (!key) return undefined;
    const { name, siteId, siteName, scopes, mayCreateKeys, expiresAt, ...rest } = key;
    const site = siteId === null || siteName === null ? null : { id: siteId, name: siteName };
    const state = {
      ...rest,
      scopes: [...scopes, ...(mayCreateKeys ? ['keys'] : [])],
      expires: expiresAt?.toISOString() ?? null,
    };
    return { name, site, state };
  },
  member: async (queries, { organizationId, id }) => {
    const member = await queries
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['users.name', 'members.role'])
      .where('members.organization_id', '=', organizationId)
      .where(({ or, eb }) =>
        or([eb('users.id', '=', id ?? ''), eb('users.email', '=', (id ?? '').toLowerCase())]),
      )
      .executeTakeFirst();
    return member && { name: member.name, site: null, state: { role: member.role } };
  },
  invitation: async (queries, { organizationId, id }) => {
    const invitation = await queries
      .selectFrom('invitations')
      .select(['email', 'role'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    return invitation && { name: invitation.email, site: null, state: { role: invitation.role } };
  },
  organization: async (queries, { organizationId }) => {
    const state = await queries
      .selectFrom('organizations')
      .select(['name', 'slug', 'plan', 'two_factor_required as twoFactorRequired'])
      .where('id', '=', organizationId)
      .executeTakeFirst();
    return { name: null, site: null, state };
  },
  // The response names it; nothing of other organizations is read but that.
  'new-organization': async (queries, { id }) => {
    const row = await queries
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', id ?? '')
      .executeTakeFirst();
    return row && { name: row.name, site: null };
  },
  'sign-in': async (queries, { organizationId }) => {
    const row = await queries
      .selectFrom('organization_sign_ins')
      .select(['saml', 'oidc', 'required', 'allowed_addresses', 'limits_keys'])
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    const { entityId, signInUrl } = row?.saml ?? {};
    const state = {
      required: row?.required ?? false,
      allowedAddresses: row?.allowed_addresses ?? [],
      limitsKeys: row?.limits_keys ?? false,
      entityId,
      signInUrl,
      issuer: row?.oidc?.issuer,
      clientId: row?.oidc?.clientId,
      emailDomains: row?.oidc?.emailDomains ?? [],
      trustsEmail: row?.oidc?.trustsEmail,
    };
    return { name: null, site: null, state };
  },
};

/**
 * Returns the name, the site and the recorded properties of a thing; `undefined` if the
 * organization has none there.
 */
export function findNamedThing(
  queries: QueryRunner,
  thing: AuditedThing,
  place: ThingPlace,
): Promise<NamedThing | undefined> {
  return finders[thing](queries, place);
}

/** Returns the name of an actor; null for the operator, the directory, and one that no longer exists. */
export async function findActorName(queries: QueryRunner, actor: Actor): Promise<string | null> {
  if (actor.kind === 'operator' || actor.kind === 'directory') return null;
  const row =
    actor.kind === 'member'
      ? await queries
          .selectFrom('users')
          .select('name')
          .where('id', '=', actor.userId)
          .executeTakeFirst()
      : await queries
          .selectFrom('api_keys')
          .select('name')
          .where('id', '=', actor.keyId)
          .executeTakeFirst();
  return row?.name ?? null;
}
