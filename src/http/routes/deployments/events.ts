import { z } from 'zod';
import type { DeploymentProgress } from '../../../db/deployments/deployment-lists.ts';
import type { Deps } from '../../../services/deps.ts';
import { getDeploymentProgress } from '../../../services/publishing/read-deployments.ts';
import type { App } from '../../app-types.ts';
import { follow } from '../../follow.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { deploymentParams, progressView } from './deployment-schema.ts';

/** Poll interval. The row is the source of truth, whichever process builds. */
const POLL_INTERVAL_MS = 400;

const eventStream = z.string().meta({
  examples: [
    'event: log\nid: 1\ndata: {"time":"2026-11-21T09:00:01.200Z","text":"Compiling pages"}\n\nevent: deployment\ndata: {"id":"01K9Z52N4T8W6X3C1V7B9M0QRS","status":"in_progress", …}\n\n',
  ],
});

/** `GET /v1/projects/{projectId}/deployments/{deploymentId}/events` */
export function deploymentEventsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/projects/:projectId/deployments/:deploymentId/events',
    schema: {
      operationId: 'streamDeployment',
      summary: 'Follow a deployment',
      description:
        'Streams server-sent events. `log`: a line of the log, with its number as the id; starts with all lines so far, or those after `Last-Event-ID`. `deployment`: the deployment with its stages, immediately and after each change. The last event has the status `success` or `failure`, and ends the stream.',
      tags: ['Deployments'],
      security: [{ adminKey: [] }],
      params: deploymentParams,
      headers: z.object({
        'last-event-id': z.string().max(20).optional().describe('Number of the last log line received.'),
      }),
      response: {
        200: {
          description: 'The log and the deployment after each change.',
          content: { 'text/event-stream': { schema: eventStream } },
        },
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const known = Number(request.headers['last-event-id'] ?? 0);
      let lines = Number.isSafeInteger(known) && known > 0 ? known : 0;
      let shown = '';
      await follow<DeploymentProgress>(reply, deps.logger, {
        read: () => getDeploymentProgress(deps, actorOf(request), request.params),
        everyMs: POLL_INTERVAL_MS,
        send(stream, deployment) {
          for (const line of deployment.log.slice(lines))
            stream.write(`event: log\nid: ${++lines}\ndata: ${JSON.stringify(line)}\n\n`);
          const event = JSON.stringify(progressView(deployment));
          if (event !== shown) stream.write(`event: deployment\ndata: ${event}\n\n`);
          shown = event;
        },
        hasEnded: ({ status }) => status === 'success' || status === 'failure',
        failure: 'the state of a deployment could not be read',
      });
      return reply;
    },
  });
}
