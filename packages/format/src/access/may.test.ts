import { describe, expect, it } from 'vitest';
import { DocentError } from '../errors.ts';
import {
  type Action,
  type Actor,
  hasRole,
  ROLES,
  type Role,
  reachesSite,
  requirePermission,
  requireSite,
} from './may.ts';

const organization = { organizationId: 'o1', plan: 'enterprise' } as const;
const admin = (
  scopes: ('read' | 'write' | 'keys')[],
  plan: 'free' | 'enterprise' = 'enterprise',
): Actor => {
  return { kind: 'admin-key', keyId: 'k1', organizationId: 'o1', plan, scopes, siteIds: [] };
};
const assistant: Actor = { kind: 'assistant-key', keyId: 'k2', siteId: 's1', ...organization };
const member = (role: Role): Actor => ({
  kind: 'member',
  userId: 'u1',
  sessionId: 'n1',
  role,
  ...organization,
});
const operator: Actor = { kind: 'operator', ...organization };

function refusal(actor: Actor, action: Action): string | undefined {
  try {
    requirePermission(actor, action);
    return undefined;
  } catch (error) {
    return (error as DocentError).code;
  }
}

/** Every action with the lowest role that permits it; `null` if no member may do it. */
const lowestRoles: Record<Action, Role | null> = {
  'assistant.ask': 'viewer',
  'assistant.read': 'viewer',
  'exports.read': 'viewer',
  'exports.write': 'editor',
  'projects.read': 'viewer',
  'projects.write': 'editor',
  'sites.write': 'admin',
  'hostnames.write': 'admin',
  'security.write': 'admin',
  'access.read': 'editor',
  'access.write': 'admin',
  'analytics.read': 'viewer',
  'git-sources.read': 'editor',
  'git-sources.write': 'admin',
  'github-apps.read': 'admin',
  'github-apps.write': 'admin',
  'sign-in.read': 'admin',
  'webhooks.read': 'admin',
  'webhooks.write': 'admin',
  'streams.read': 'admin',
  'streams.write': 'admin',
  'feedback.write': 'editor',
  'keys.read': 'viewer',
  'keys.write': 'editor',
  'admin-keys.write': 'admin',
  'organization.read': 'viewer',
  'organization.write': 'admin',
  'members.read': 'admin',
  'members.write': 'admin',
  'organizations.write': 'viewer',
  'owners.write': 'owner',
  'organizations.read': null,
  'users.read': null,
  'users.write': null,
  'audit.read': 'admin',
};

describe('permissions', () => {
  it('separate the two kinds of keys', () => {
    expect(refusal(assistant, 'exports.read')).toBe('wrong_key_kind');
    expect(refusal(assistant, 'keys.write')).toBe('wrong_key_kind');
    expect(refusal(admin([]), 'assistant.ask')).toBe('wrong_key_kind');
    expect(refusal(assistant, 'assistant.ask')).toBeUndefined();
  });

  it('include `read` with `write`, and include everything if no scopes are set', () => {
    expect(refusal(admin(['read']), 'projects.read')).toBeUndefined();
    expect(refusal(admin(['read']), 'projects.write')).toBe('scope_missing');
    expect(refusal(admin(['write']), 'projects.read')).toBeUndefined();
    expect(refusal(admin([]), 'projects.write')).toBeUndefined();
  });

  it('include static export only in the Enterprise plan', () => {
    expect(refusal(admin([], 'free'), 'exports.write')).toBe('plan_required');
    expect(refusal(admin([], 'free'), 'exports.read')).toBe('plan_required');
    expect(refusal(admin([], 'free'), 'projects.write')).toBeUndefined();
    expect(refusal(admin([]), 'exports.write')).toBeUndefined();
  });

  it('grant the local operator everything in its own organization only', () => {
    expect(refusal(operator, 'keys.write')).toBeUndefined();
    expect(refusal(operator, 'assistant.ask')).toBeUndefined();
    expect(() => requireSite(operator, { siteId: 's9', organizationId: 'o2' })).toThrow(
      DocentError,
    );
  });

  it('restrict an assistant key to its own site, even inside the organization', () => {
    expect(() => requireSite(assistant, { siteId: 's1', organizationId: 'o1' })).not.toThrow();
    expect(() => requireSite(assistant, { siteId: 's2', organizationId: 'o1' })).toThrow(
      'another site',
    );
  });

  it.each(Object.entries(lowestRoles) as [Action, Role | null][])(
    'for "%s" begin with the role %s',
    (action, lowest) => {
      for (const role of ROLES) {
        const allowed = lowest !== null && hasRole(role, lowest);
        const code = /^(?:users\.|organizations\.read)/.test(action)
          ? 'operator_required'
          : lowest === null
            ? 'wrong_key_kind'
            : 'role_missing';
        expect(refusal(member(role), action)).toBe(allowed ? undefined : code);
      }
    },
  );

  it('restrict members to the plan of their organization', () => {
    expect(refusal({ ...member('owner'), plan: 'pro' }, 'exports.read')).toBe('plan_required');
  });

  it('let a key that is bound to sites reach these, and nothing that concerns the whole organization', () => {
    const bound = { ...admin([]), siteIds: ['s1'] } as Actor;
    expect([
      reachesSite(bound, 's1'),
      reachesSite(bound, 's2'),
      reachesSite(admin([]), 's2'),
    ]).toEqual([true, false, true]);
    expect(refusal(bound, 'projects.write')).toBeUndefined();
    for (const action of ['organization.read', 'organization.write', 'audit.read'] as const)
      expect(refusal(bound, action)).toBe('wrong_site');
  });

  it('refuse with who may do it: nobody is sent to an admin for what only owners do', () => {
    const act = (action: Action) => () => requirePermission(member('viewer'), action);
    expect(act('owners.write')).toThrow(/Ask an owner\.$/);
    expect(act('members.write')).toThrow(/Ask an owner or an admin\.$/);
  });

  it('never let a key act as an owner', () => {
    expect(refusal(admin([]), 'owners.write')).toBe('role_missing');
    expect(refusal(assistant, 'owners.write')).toBe('role_missing');
  });

  it('never let a key give or take a role', () => {
    for (const scopes of [[], ['write'], ['keys']] as const)
      expect(refusal(admin([...scopes]), 'members.write')).toBe('role_missing');
  });
});
