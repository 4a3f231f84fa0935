import { type LimitSettings, limitsFrom, pastLimit } from '../../core/access/limits.ts';
import type { Actor } from '../../core/access/may.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import type { Deps } from '../deps.ts';

type ActionLimit = 'keysPerOrganisation' | 'exportsPerOrganisation' | 'publishesPerOrganisation';

/**
 * Counts an action against an organization's limit. The local operator, who owns the machine, is not limited.
 * @param onCounted called with the remaining limit
 * @throws DocentError `rate_limited`
 */
export async function countAction(
  { limiter, config }: Pick<Deps, 'limiter'> & { config: { limits: LimitSettings } },
  actor: Actor,
  action: ActionLimit,
  onCounted: (state: RateLimitState) => void = () => {},
): Promise<void> {
  if (actor.kind === 'operator') return;
  const limit = limitsFrom(config.limits)[action];
  const state = await limiter.consume(limit, actor.organisationId);
  onCounted(state);
  if (!state.allowed) throw pastLimit(limit, state.resetSeconds);
}
