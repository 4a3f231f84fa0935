import type { Clock } from '../ports/clock.ts';
import type { HostCalls } from '../ports/git/host-calls.ts';
import type { OutsideCalls } from '../ports/outside-calls.ts';
import { OutsideFault } from '../ports/outside-files.ts';
import { callHost, HostFault } from './call-host.ts';

/** Sends requests to public addresses, and those that the operator allows. */
export function createHostCalls(outsideCalls: OutsideCalls, clock: Clock): HostCalls {
  const pauses = new Map<string, number>();
  return {
    async call({ organizationId, authorization }, request, signal) {
      const { host } = new URL(request.url);
      const key = `${organizationId} ${host}`;
      const now = clock.now().getTime();
      for (const [other, until] of pauses) if (until <= now) pauses.delete(other);
      const until = pauses.get(key);
      if (until !== undefined)
        throw new HostFault(
          'busy',
          `${host} takes no more requests until ${new Date(until).toISOString()}.`,
        );
      try {
        return await callHost(
          (sent) => outsideCalls.call({ ...sent, signal }),
          authorization,
          request,
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof OutsideFault) throw new HostFault('busy', error.message);
        if (error instanceof HostFault && error.waitMs !== undefined)
          pauses.set(key, now + error.waitMs);
        throw error;
      }
    },
  };
}
