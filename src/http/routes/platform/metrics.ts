import { isLocalIp } from '../../../core/access/ip.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { clientOf, requireActor } from '../../identify.ts';
import type { Metrics } from '../../metrics.ts';

/** `GET /metrics`: open on the local network, where scrapers are; from elsewhere with an admin key that may read. */
export function metricsRoute(app: App, deps: Deps, metrics: Metrics): void {
  const requireKey = requireActor(deps, 'metrics.read');
  app.route({
    method: 'GET',
    url: '/metrics',
    schema: { hide: true },
    onRequest: async (request) => {
      const client = clientOf(deps, request);
      if (!client || !isLocalIp(client)) await requireKey(request);
    },
    handler: async (_request, reply) => {
      const { type, text } = await metrics.render();
      return reply.type(type).send(text);
    },
  });
}
