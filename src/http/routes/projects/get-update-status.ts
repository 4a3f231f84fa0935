import { z } from 'zod';
import { type Diagnostic, otherPlacesText, placeText } from '../../../core/diagnostics.ts';
import type { DeploymentRow } from '../../../db/deployments.ts';
import type { Deps } from '../../../services/deps.ts';
import { getDeployment } from '../../../services/get-deployment.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';

const placeSchema = z.object({ file: z.string(), line: z.int().optional(), column: z.int().optional() });

const diagnosticSchema = placeSchema.extend({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  count: z.int().optional().describe('In how many places it is, where that is more than one.'),
  places: z.array(placeSchema).optional().describe('The places after the first: of an error all, of a warning up to 200.'),
});

const filesChanged = z.object({ added: z.array(z.string()), modified: z.array(z.string()), removed: z.array(z.string()) });

const answer = z
  .object({
    _id: z.string(),
    projectId: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    status: z.enum(['queued', 'in_progress', 'success', 'failure']),
    summary: z.string(),
    logs: z.array(z.string()),
    subdomain: z.string().describe("The site's identifier."),
    commit: z.object({ sha: z.string(), ref: z.string(), message: z.string(), filesChanged }).nullable(),
    source: z.literal('api'),
    report: z
      .object({
        pageCount: z.int(),
        failedPageCount: z.int(),
        fileCount: z.int(),
        durationMs: z.number(),
        diagnostics: z.array(diagnosticSchema),
      })
      .nullable(),
  })
  .meta({ id: 'UpdateStatus' });

function logLine(one: Diagnostic): string {
  const others = otherPlacesText(one);
  return `${one.severity} ${placeText(one)} [${one.code}] ${one.message} ${one.remedy}${others ? ` (${others})` : ''}`;
}

function statusView(deployment: DeploymentRow): z.infer<typeof answer> {
  return {
    _id: deployment.id,
    projectId: deployment.siteId,
    createdAt: deployment.createdAt.toISOString(),
    endedAt: deployment.endedAt?.toISOString() ?? null,
    status: deployment.status,
    summary: deployment.summary,
    logs: deployment.report?.diagnostics.map(logLine) ?? [],
    subdomain: deployment.slug,
    commit: null,
    source: 'api',
    report: deployment.report,
  };
}

/** `GET /v1/project/update-status/{statusId}` */
export function getUpdateStatusRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/project/update-status/:statusId',
    schema: {
      operationId: 'getUpdateStatus',
      summary: 'Get the state of a build',
      tags: ['Projects'],
      security: [{ adminKey: [] }],
      params: z.object({ statusId: z.string() }),
      response: { 200: answer, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const deployment = await getDeployment(deps, actorOf(request), request.params.statusId);
      return reply.send(statusView(deployment));
    },
  });
}
