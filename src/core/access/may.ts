import { DocentError } from '../errors.ts';
import { grants, type KeyScope } from './keys.ts';

export type Plan = 'free' | 'pro' | 'enterprise';

interface OrganisationMember {
  organisationId: string;
  plan: Plan;
}

/** Roles of members, each of which may do what those before it may. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whoever asks. The operator came over the data folder's own socket and may do everything in the default organisation. */
export type Actor =
  | ({ kind: 'operator' } & OrganisationMember)
  | ({ kind: 'member'; userId: string; sessionId: string; role: Role } & OrganisationMember)
  | ({ kind: 'admin-key'; keyId: string; scopes: readonly KeyScope[] } & OrganisationMember)
  | ({ kind: 'assistant-key'; keyId: string; siteId: string } & OrganisationMember);

interface Rule {
  /** What names neither a key nor a role is for the operator alone. The kind of key that may do it, and the scope that an admin key needs; without it, no key may. */
  key?: 'assistant-key' | 'admin-key';
  scope?: KeyScope;
  /** The lowest role of members that may; without it, no member may. */
  role?: Role;
  plan?: Plan;
}

/**
 * What can be done over the API, and what it needs. Reading is GET and HEAD. A key stands in for an admin at most, so what is for
 * owners takes no key. Members get keys to the organisation by what `keys` allows, so managing them needs that scope too.
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
  'analytics.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'streams.read': { key: 'admin-key', scope: 'read', role: 'admin' },
  'streams.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'feedback.write': { key: 'admin-key', scope: 'write', role: 'editor' },
  'keys.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'keys.write': { key: 'admin-key', scope: 'keys', role: 'editor' },
  'admin-keys.write': { key: 'admin-key', scope: 'keys', role: 'admin' },
  'organisation.read': { key: 'admin-key', scope: 'read', role: 'viewer' },
  'organisation.write': { key: 'admin-key', scope: 'write', role: 'admin' },
  'members.write': { key: 'admin-key', scope: 'keys', role: 'admin' },
  'owners.write': { role: 'owner' },
  'users.read': {},
  'users.write': {},
  'audit.read': { key: 'admin-key', scope: 'read', role: 'admin' },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

/** Whether an action manages something and changes it; these are in the audit log. */
export function isManagementChange(action: Action): boolean {
  return action.endsWith('.write');
}

/** Whether a member with `role` may do what takes the role `needed`. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/**
 * Refuses what `actor` may not do.
 * @throws DocentError `wrong_key_kind`, `scope_missing`, `role_missing`, `operator_required` or `plan_required`
 */
export function requirePermission(actor: Actor, action: Action): void {
  if (actor.kind === 'operator') return;
  const rule: Rule = rules[action];
  if (rule.key === undefined && rule.role === undefined)
    throw new DocentError('operator_required', 'Only the operator does this, with the command line on the server.');
  if (actor.kind === 'member') requireRole(actor.role, rule);
  else requireKey(actor, rule);
  if (rule.plan !== undefined && actor.plan !== rule.plan) {
    throw new DocentError(
      'plan_required',
      `This operation needs the plan "${rule.plan}"; the organisation's plan is "${actor.plan}".`,
    );
  }
}

function requireRole(role: Role, rule: Rule): void {
  if (rule.role === undefined)
    throw new DocentError('wrong_key_kind', 'This operation takes an assistant key (svc_dsc_…), not a session.');
  if (hasRole(role, rule.role)) return;
  throw new DocentError(
    'role_missing',
    `This operation needs the role "${rule.role}"; your role in the organisation is "${role}". Ask an owner or an admin.`,
  );
}

function requireKey(actor: Extract<Actor, { kind: 'admin-key' | 'assistant-key' }>, rule: Rule): void {
  if (rule.key === undefined)
    throw new DocentError('role_missing', 'This operation is for owners of the organisation; sign in to the dashboard.');
  if (actor.kind !== rule.key) {
    const wanted = rule.key === 'admin-key' ? 'an admin key (svc_…)' : 'an assistant key (svc_dsc_…)';
    throw new DocentError('wrong_key_kind', `This operation takes ${wanted}; the key sent is of the other kind.`);
  }
  if (actor.kind === 'admin-key' && rule.scope !== undefined && !grants(actor.scopes, rule.scope)) {
    throw new DocentError('scope_missing', `This operation needs the scope "${rule.scope}"; create a key that has it.`);
  }
}

/** Who did something, as the audit log names them: `operator`, the id of a key or of a user. */
export function actorId(actor: Actor): string {
  if (actor.kind === 'operator') return 'operator';
  return actor.kind === 'member' ? actor.userId : actor.keyId;
}

/**
 * Refuses an assistant key on a site that is not its own, and anyone on a site of another organisation.
 * @throws DocentError `wrong_site`; for a member `site_not_found`, because sites of others are none of their business
 */
export function requireSite(actor: Actor, site: { siteId: string; organisationId: string }): void {
  const own = actor.kind === 'assistant-key' ? actor.siteId === site.siteId : actor.organisationId === site.organisationId;
  if (own) return;
  if (actor.kind === 'member') throw new DocentError('site_not_found', 'Your organisation has no such site.');
  throw new DocentError('wrong_site', 'This key belongs to another site; use the assistant key of the site that you ask.');
}
