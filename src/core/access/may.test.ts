import { describe, expect, it } from 'vitest';
import { DocentError } from '../errors.ts';
import { type Action, type Actor, requirePermission, requireSite } from './may.ts';

const organisation = { organisationId: 'o1', plan: 'enterprise' } as const;
const admin = (scopes: ('read' | 'write')[], plan: 'free' | 'enterprise' = 'enterprise'): Actor => {
  return { kind: 'admin-key', keyId: 'k1', organisationId: 'o1', plan, scopes };
};
const assistant: Actor = { kind: 'assistant-key', keyId: 'k2', siteId: 's1', ...organisation };
const operator: Actor = { kind: 'operator', ...organisation };

function refusal(actor: Actor, action: Action): string | undefined {
  try {
    requirePermission(actor, action);
    return undefined;
  } catch (error) {
    return (error as DocentError).code;
  }
}

describe('permissions', () => {
  it('keep the two kinds of keys apart', () => {
    expect(refusal(assistant, 'exports.read')).toBe('wrong_key_kind');
    expect(refusal(assistant, 'keys.write')).toBe('wrong_key_kind');
    expect(refusal(admin([]), 'assistant.ask')).toBe('wrong_key_kind');
    expect(refusal(assistant, 'assistant.ask')).toBeUndefined();
  });

  it('let `write` imply `read`, and no scopes mean everything', () => {
    expect(refusal(admin(['read']), 'projects.read')).toBeUndefined();
    expect(refusal(admin(['read']), 'projects.write')).toBe('scope_missing');
    expect(refusal(admin(['write']), 'projects.read')).toBeUndefined();
    expect(refusal(admin([]), 'projects.write')).toBeUndefined();
  });

  it('give static export to the Enterprise plan alone', () => {
    expect(refusal(admin([], 'free'), 'exports.write')).toBe('plan_required');
    expect(refusal(admin([], 'free'), 'exports.read')).toBe('plan_required');
    expect(refusal(admin([], 'free'), 'projects.write')).toBeUndefined();
    expect(refusal(admin([]), 'exports.write')).toBeUndefined();
  });

  it('give the local operator everything, but only in its own organisation', () => {
    expect(refusal(operator, 'keys.write')).toBeUndefined();
    expect(refusal(operator, 'assistant.ask')).toBeUndefined();
    expect(() => requireSite(operator, { siteId: 's9', organisationId: 'o2' })).toThrow(DocentError);
  });

  it('hold an assistant key to its own site, also inside the organisation', () => {
    expect(() => requireSite(assistant, { siteId: 's1', organisationId: 'o1' })).not.toThrow();
    expect(() => requireSite(assistant, { siteId: 's2', organisationId: 'o1' })).toThrow('another site');
  });
});
