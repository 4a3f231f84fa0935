import { addressLimit, HOUR_SECONDS } from '@docent/format/access/limits.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { problems } from '../kernel/http/problem.ts';
import * as field from '../kernel/operations/described.ts';
import { type ParamName, pathParams } from '../kernel/operations/fields.ts';
import { countAddress } from '../kernel/operations/rate-limits.ts';
import {
  DELIVERY_OUTCOMES,
  logLargeDelivery,
  receiveAppDelivery,
  receiveDelivery,
  requireAccepted,
} from './receive-delivery.ts';
import { type Delivery, stopsAfterRefusals } from './verify-delivery.ts';

const HOOK = '/v1/webhooks/git/:sourceId';
const APP_HOOK = '/v1/github-apps/:githubAppId/webhook';
/**
 * Providers send up to 25 MB; of what is larger, only the look at the branch from time to time
 * learns.
 */
const MAX_DELIVERY_BYTES = 5 * 1024 * 1024;
const DELIVERIES_PER_IP = addressLimit(
  'git-webhooks',
  3000,
  HOUR_SECONDS,
  'deliveries of webhooks',
);

/**
 * `POST /v1/webhooks/git/{sourceId}`: what the server of a repository sends about a push, signed in its own way.
 */
export function gitWebhookRoute(app: App, deps: Deps): void {
  deliveryRoute(app, deps, HOOK, {
    operationId: 'receiveGitWebhook',
    summary: 'Receive a webhook of a repository',
    description:
      'For webhooks of GitHub, GitLab, Gitea, Forgejo, Bitbucket and Azure Repos about pushes and pull requests, and for messages that are signed by Standard Webhooks. A valid delivery leads to a look at the repository; what it says is not trusted. One from which nothing follows is refused with 422, and one that came before with 409; GitLab, Bitbucket and Azure Repos, which stop sending after refusals, get 202 for these too.',
    receive: ({ sourceId }, delivery) => receiveDelivery(deps, sourceId, delivery),
    onTooLarge: ({ sourceId }, headers) => logLargeDelivery(deps, sourceId, headers),
    refuses: true,
  });
}

/** `POST /v1/github-apps/{githubAppId}/webhook`: what GitHub sends about all repositories of an app. */
export function githubAppWebhookRoute(app: App, deps: Deps): void {
  deliveryRoute(app, deps, APP_HOOK, {
    operationId: 'receiveGitHubAppWebhook',
    summary: 'Receive a webhook of a GitHub App',
    description:
      'For what GitHub sends about pushes and pull requests of every repository that the app is installed for. A valid delivery leads to a look at the repository; what it says is not trusted.',
    receive: ({ githubAppId }, delivery) => receiveAppDelivery(deps, githubAppId, delivery),
  });
}

function deliveryRoute<Path extends string>(
  app: App,
  deps: Deps,
  url: Path,
  {
    receive,
    onTooLarge,
    refuses,
    ...texts
  }: {
    operationId: string;
    summary: string;
    description: string;
    /** Whether a delivery that leads to nothing is an error, where its sender can bear that. */
    refuses?: true;
    onTooLarge?: (
      params: { [Name in ParamName<Path>]: string },
      headers: Delivery['headers'],
    ) => Promise<void>;
    receive: (
      params: { [Name in ParamName<Path>]: string },
      delivery: Delivery,
    ) => ReturnType<typeof receiveDelivery>;
  },
): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: 'POST',
      url,
      bodyLimit: MAX_DELIVERY_BYTES,
      schema: {
        ...texts,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        tags: ['Git'],
        security: [],
        params: pathParams(url),
        response: {
          202: z
            .object({
              outcome: field.choice(
                DELIVERY_OUTCOMES,
                '`ignored`: it is about another branch or repository, or nothing is to follow. `repeated`: it came before.',
              ),
            })
            .meta({ examples: [{ outcome: 'accepted' }] }),
          ...(refuses
            ? problems(400, 401, 404, 409, 413, 422, 429)
            : problems(400, 401, 404, 413, 429)),
        },
      },
      onRequest: (request) => countAddress(deps, request, DELIVERIES_PER_IP),
      onError: async ({ params, headers }, _reply, { code }) => {
        if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
          await onTooLarge?.(params as { [Name in ParamName<Path>]: string }, headers);
      },
      handler: async (request, reply) => {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const params = request.params as { [Name in ParamName<Path>]: string };
        const delivery = { headers: request.headers, body };
        const result = await receive(params, delivery);
        if (refuses && !stopsAfterRefusals(delivery)) requireAccepted(result);
        return reply.code(202).send({ outcome: result.outcome });
      },
    });
  });
}
