import { createHash, timingSafeEqual } from 'node:crypto';
import { isDirectLoopback } from '../../../core/access/client-address.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import type { Metrics } from '../../metrics.ts';
import { isOperatorRequest } from '../../operator.ts';

/**
 * `GET /metrics`: for callers with the configured token. Without a token, for requests that come directly from this machine; a
 * proxied request may be anyone's.
 */
export function metricsRoute(app: App, { config: { metricsToken } }: Pick<Deps, 'config'>, metrics: Metrics): void {
  const isToken = metricsToken === undefined ? undefined : equals(`Bearer ${metricsToken}`);
  app.route({
    method: 'GET',
    url: '/metrics',
    schema: { hide: true },
    onRequest: async (request) => {
      const { headers, socket } = request.raw;
      if (isOperatorRequest(request)) return;
      if (isToken ? isToken(headers.authorization ?? '') : isDirectLoopback(socket.remoteAddress, headers)) return;
      throw new DocentError(
        'unauthenticated',
        'Metrics require the token in DOCENT_METRICS_TOKEN; without that setting, a direct request from this machine.',
      );
    },
    handler: async (_request, reply) => {
      const { type, text } = await metrics.render();
      return reply.type(type).send(text);
    },
  });
}

/** Compares with a secret in constant time. */
function equals(secret: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}
