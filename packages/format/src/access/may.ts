import { DocentError } from '../errors.ts';
import { grants, type KeyScope } from './keys.ts';

/** Plans of organizations, in ascending order. */
export const PLANS = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

interface OrganizationMember {
  organizationId: string;
  plan: Plan;
}

/** Roles of members, in ascending order; each includes the permissions of those before it. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The caller. The operator connects through the data folder's own socket and may do everything in
 * the default organization. The directory of an organization manages its people by SCIM.
 */
export type Actor =
  | ({ kind: 'operator' } & OrganizationMember)
  | ({ kind: 'directory' } & OrganizationMember)
  | ({ kind: 'member'; userId: string; sessionId: string; role: Role } & OrganizationMember)
  | ({
      kind: 'admin-key';
      keyId: string;
      scopes: readonly KeyScope[];
      siteIds: readonly string[];
    } & OrganizationMember)
  | ({ kind: 'assistant-key'; keyId: string; siteId: string } & OrganizationMember);

interface Rule {
  /**
   * The kind of key that may do it, and the scope that an admin key needs; if absent, no key may. A
   * rule with neither a key nor a role is for the operator only.
   */
  key?: 'assistant-key' | 'admin-key';
  scope?: KeyScope;
  /** The lowest role that may do it; if absent, no member may. */
  role?: Role;
  plan?: Plan;
  /** It concerns the organization as a whole, so no key that is bound to sites may do it. */
  isWhole?: true;
}

/**
 * The actions of the API and what they require. Reading is GET and HEAD. A key has at most the
 * permissions of an admin, so actions for owners take no key. Keys give no roles, so people are
 * managed by people.
 */
const rules = {
  'assistant.ask': { key: 'assistant-key', scope: 'write', role: 'viewer' },
  'assistant.read': { key: 'assistant-key', scope: 'read', role: 'viewer' },
  'exports.read': { key: 'admin-key', scope: 'read', role: 'viewer', plan: 'enterprise' },
  'exports.write': { key: 'admin-key', scope: 'write', role: 'editor', plan: 'enterprise' },
  'projects.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'projects.write': { key: 'admin-key', scope: 'write', role: 'editor' },
  'sites.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'hostnames.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'security.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'access.read': { key: 'admin-key', scope: 'read', role: 'editor' },
  'access.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'analytics.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'git-sources.read': { key: 'admin-key', scope: 'read', role: 'editor' },
  'git-sources.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'github-apps.read': { key: 'admin-key', scope: 'read', role: 'admin', isWhole: true },
  'github-apps.write': { key: 'admin-key', scope: 'write', role: 'admin', isWhole: true },
  'streams.read': { key: 'admin-key', scope: 'read', role: 'admin' },
  'streams.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'webhooks.read': { key: 'admin-key', scope: 'read', role: 'admin', isWhole: true },
  'webhooks.write': { key: 'admin-key', scope: 'write', role: 'admin', isWhole: true },
  'feedback.write': { key: 'admin-key', scope: 'write', role: 'editor' },
  'keys.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'keys.write': { key: 'admin-key', scope: 'keys', role: 'editor' },
  'admin-keys.write': { key: 'admin-key', scope: 'keys', role: 'admin' },
  'organization.read': { key: 'admin-key', scope: 'read', role: 'viewer', isWhole: true },
  'organization.write': { key: 'admin-key', scope: 'write', role: 'admin', isWhole: true },
  'sign-in.read': { key: 'admin-key', scope: 'read', role: 'admin', isWhole: true },
  'members.read': { role: 'admin' },
  'members.write': { role: 'admin' },
  'organizations.read': {},
  'organizations.write': { role: 'viewer' },
  'owners.write': { role: 'owner' },
  'users.read': {},
  'users.write': {},
  'audit.read': { key: 'admin-key', scope: 'read', role: 'admin', isWhole: true },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

/** Returns whether an action changes something that is managed; these are in the audit log. */
export function isManagementChange(action: Action): boolean {
  return action.endsWith('.write');
}

/** Returns whether `role` includes the role `needed`. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * Throws if `actor` may not perform the action.
 * @throws DocentError `wrong_key_kind`, `scope_missing`, `role_missing`, `operator_required` or
 *   `plan_required`
 */
export function requirePermission(actor: Actor, action: Action): void {
  if (actor.kind === 'operator') return;
  const rule: Rule = rules[action];
  if (rule.key === undefined && rule.role === undefined)
    throw new DocentError(
      'operator_required',
      'Only the operator can do this, on the command line of the server.',
    );
  if (actor.kind === 'directory') requireDirectory(action);
  else if (actor.kind === 'member') requireRole(actor.role, rule);
  else requireKey(actor, rule);
  if (rule.plan !== undefined && actor.plan !== rule.plan) {
    throw new DocentError(
      'plan_required',
      `This operation needs the plan "${rule.plan}"; the organization's plan is "${actor.plan}".`,
    );
  }
}

function requireDirectory(action: Action): void {
  if (action === 'members.write') return;
  throw new DocentError(
    'role_missing',
    'The directory manages members, but no owners; an owner does this in the dashboard.',
  );
}

function requireRole(role: Role, rule: Rule): void {
  if (rule.role === undefined)
    throw new DocentError(
      'wrong_key_kind',
      'This operation requires an assistant key (svc_dsc_…), not a session.',
    );
  if (hasRole(role, rule.role)) return;
  throw new DocentError(
    'role_missing',
    `This operation needs the role "${rule.role}"; your role in the organization is "${role}". Ask an owner${rule.role === 'owner' ? '' : ' or an admin'}.`,
  );
}

function requireKey(
  actor: Extract<Actor, { kind: 'admin-key' | 'assistant-key' }>,
  rule: Rule,
): void {
  if (rule.key === undefined)
    throw new DocentError(
      'role_missing',
      'No key may do this, only people; sign in to the dashboard.',
    );
  if (actor.kind !== rule.key) {
    const requiredKey =
      rule.key === 'admin-key' ? 'an admin key (svc_…)' : 'an assistant key (svc_dsc_…)';
    throw new DocentError(
      'wrong_key_kind',
      `This operation requires ${requiredKey}; the key is of the other kind.`,
    );
  }
  if (actor.kind === 'admin-key' && rule.scope !== undefined && !grants(actor.scopes, rule.scope)) {
    throw new DocentError(
      'scope_missing',
      `This operation needs the scope "${rule.scope}"; create a key with this scope.`,
    );
  }
  if (rule.isWhole) requireWholeOrganization(actor);
}

/** The sites that an actor is bound to; empty: all of the organization. */
export function siteIdsOf(actor: Actor): readonly string[] {
  return actor.kind === 'admin-key' ? actor.siteIds : [];
}

/** Returns whether an actor may reach a site of its organization at all. */
export function reachesSite(actor: Actor, siteId: string): boolean {
  const siteIds = siteIdsOf(actor);
  return siteIds.length === 0 || siteIds.includes(siteId);
}

/** @throws DocentError `wrong_site` for a key that is bound to sites */
export function requireWholeOrganization(actor: Actor): void {
  if (siteIdsOf(actor).length === 0) return;
  throw new DocentError(
    'wrong_site',
    'This key is bound to sites, and this operation concerns the whole organization; use another key.',
  );
}

/**
 * The author of a change, as the audit log names them: `operator`, `directory`, or the id of a key
 * or a user.
 */
export function actorId(actor: Actor): string {
  if (actor.kind === 'operator' || actor.kind === 'directory') return actor.kind;
  return actor.kind === 'member' ? actor.userId : actor.keyId;
}

/**
 * Rejects an assistant key on another site than its own, and anyone on a site of another
 * organization.
 * @throws DocentError `wrong_site`; for a member `site_not_found`, so that it does not reveal the
 *   sites of other organizations
 */
export function requireSite(actor: Actor, site: { siteId: string; organizationId: string }): void {
  const isOwnSite =
    actor.kind === 'assistant-key'
      ? actor.siteId === site.siteId
      : actor.organizationId === site.organizationId;
  if (isOwnSite) return;
  if (actor.kind === 'member')
    throw new DocentError('site_not_found', 'Your organization has no such site.');
  throw new DocentError(
    'wrong_site',
    'This key belongs to another site; use an assistant key of the requested site.',
  );
}
