import { DocentError } from '../errors.ts';
import { grants, type KeyScope } from './keys.ts';

export type Plan = 'free' | 'pro' | 'enterprise';

interface OrganisationMember {
  organisationId: string;
  plan: Plan;
}

/** Whoever asks. The operator came over the data folder's own socket and may do everything in the default organisation. */
export type Actor =
  | ({ kind: 'operator' } & OrganisationMember)
  | ({ kind: 'admin-key'; keyId: string; scopes: readonly KeyScope[] } & OrganisationMember)
  | ({ kind: 'assistant-key'; keyId: string; siteId: string } & OrganisationMember);

interface Rule {
  key: 'assistant-key' | 'admin-key';
  scope: KeyScope;
  plan?: Plan;
}

/** What can be done over the API, and what it needs: reading is GET and HEAD, everything else is writing; keys have a scope of their own. */
const rules = {
  'assistant.ask': { key: 'assistant-key', scope: 'write' },
  'assistant.read': { key: 'assistant-key', scope: 'read' },
  'exports.read': { key: 'admin-key', scope: 'read', plan: 'enterprise' },
  'exports.write': { key: 'admin-key', scope: 'write', plan: 'enterprise' },
  'projects.read': { key: 'admin-key', scope: 'read' },
  'projects.write': { key: 'admin-key', scope: 'write' },
  'analytics.read': { key: 'admin-key', scope: 'read' },
  'keys.read': { key: 'admin-key', scope: 'read' },
  'keys.write': { key: 'admin-key', scope: 'keys' },
  'audit.read': { key: 'admin-key', scope: 'read' },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

/**
 * Refuses what `actor` may not do.
 * @throws DocentError `wrong_key_kind`, `scope_missing` or `plan_required`
 */
export function requirePermission(actor: Actor, action: Action): void {
  if (actor.kind === 'operator') return;
  const rule: Rule = rules[action];
  if (actor.kind !== rule.key) {
    const wanted = rule.key === 'admin-key' ? 'an admin key (svc_…)' : 'an assistant key (svc_dsc_…)';
    throw new DocentError('wrong_key_kind', `This operation takes ${wanted}; the key sent is of the other kind.`);
  }
  if (actor.kind === 'admin-key' && !grants(actor.scopes, rule.scope)) {
    throw new DocentError('scope_missing', `This operation needs the scope "${rule.scope}"; create a key that has it.`);
  }
  if (rule.plan !== undefined && actor.plan !== rule.plan) {
    throw new DocentError(
      'plan_required',
      `This operation needs the plan "${rule.plan}"; the organisation's plan is "${actor.plan}".`,
    );
  }
}

/**
 * Refuses an assistant key on a site that is not its own, and anyone on a site of another organisation.
 * @throws DocentError `wrong_site`
 */
export function requireSite(actor: Actor, site: { siteId: string; organisationId: string }): void {
  const own = actor.kind === 'assistant-key' ? actor.siteId === site.siteId : actor.organisationId === site.organisationId;
  if (!own)
    throw new DocentError('wrong_site', 'This key belongs to another site; use the assistant key of the site that you ask.');
}
