import { DAY_MS } from '@docent/format/analytics/days.ts';
import type { Deps } from '../kernel/deps.ts';
import {
  type EmitDeps,
  emitEvent,
  emitOrganizationEvent,
} from '../webhooks-out/emit/emit-event.ts';
import { takeExpiringKeys } from './queries.ts';

/** A key is announced this long before it expires. */
const NOTICE_MS = 3 * DAY_MS;

/** Sends webhooks about keys in use that expire soon, once for each key. */
export async function announceExpiringKeys(deps: EmitDeps & Pick<Deps, 'database'>): Promise<void> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + NOTICE_MS);
  await deps.database.queries.transaction().execute(async (transaction) => {
    for (const key of await takeExpiringKeys(transaction, { now, until })) {
      const { id: keyId, organizationId, siteId, name, masked, expiresAt } = key;
      const details = { keyId, key: masked, expiresAt };
      const event = { type: 'key.expiring' as const, title: name, details };
      if (siteId !== null) await emitEvent(deps, transaction, { ...event, siteId, path: 'keys' });
      else
        await emitOrganizationEvent(deps, transaction, {
          ...event,
          organizationId,
          siteId,
          path: 'settings/keys',
        });
    }
  });
}
