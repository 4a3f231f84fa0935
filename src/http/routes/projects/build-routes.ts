import { z } from 'zod';
import { limitsFrom } from '../../../core/access/limits.ts';
import { type Diagnostic, otherPlacesText, placeText } from '../../../core/diagnostics.ts';
import type { DeploymentRow } from '../../../db/deployments/deployments.ts';
import type { Deps } from '../../../services/deps.ts';
import { getDeployment } from '../../../services/publishing/read-deployments.ts';
import { updateProject } from '../../../services/publishing/start-deployment.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { showLimit } from '../../rate-limits.ts';
import { buildReportSchema } from '../deployments/deployment-schema.ts';
import { isoTime } from '../fields.ts';
import { projectParams } from './project-schema.ts';

/** The response of operations that start a build. */
export const startedBuildSchema = z
  .object({
    statusId: z.string().describe('Identifier of the build, for requests of its status.'),
    previewUrl: z.string().optional().describe('URL of the preview once it is built, if the build is for one.'),
  })
  .meta({ id: 'StartedBuild', description: 'A started build.', examples: [{ statusId: '01K9Z52N4T8W6X3C1V7B9M0QRS' }] });

const filesChanged = z.object({
  added: z.array(z.string()).describe('Paths of the added files.'),
  modified: z.array(z.string()).describe('Paths of the changed files.'),
  removed: z.array(z.string()).describe('Paths of the removed files.'),
});

const commit = z.object({
  sha: z.string().describe('Hash of the commit.'),
  ref: z.string().describe('Branch or tag.'),
  message: z.string().describe('Message of the commit.'),
  filesChanged: filesChanged.describe('Files changed by the commit.'),
});

const example = {
  _id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
  projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  createdAt: '2026-11-21T09:00:00.000Z',
  endedAt: '2026-11-21T09:00:06.000Z',
  status: 'success',
  summary: '240 pages, 1 warning',
  logs: [
    'warning guides/start.mdx:12:4 [broken-link] There is no page /guides/instal. Link to /guides/install, or remove the link.',
  ],
  subdomain: 'acme',
  commit: null,
  source: 'api',
  report: {
    pageCount: 240,
    failedPageCount: 0,
    fileCount: 61,
    durationMs: 5230,
    diagnostics: [
      {
        severity: 'warning',
        code: 'broken-link',
        message: 'There is no page /guides/instal.',
        remedy: 'Link to /guides/install, or remove the link.',
        file: 'guides/start.mdx',
        line: 12,
        column: 4,
      },
    ],
  },
};

const answer = z
  .object({
    _id: z.string().describe('Identifier of the build, the `statusId` of the request.'),
    projectId: z.string().describe('Project id of the site.'),
    createdAt: isoTime.describe('When the build was requested.'),
    endedAt: isoTime.nullable().describe('When the build ended; `null` before.'),
    status: z
      .enum(['queued', 'in_progress', 'success', 'failure'])
      .describe('`success`: the site is live. `failure`: the site is unchanged.'),
    summary: z.string().describe('One line: how many pages were built, or why the build failed.'),
    logs: z.array(z.string()).describe('The build report as lines of text.'),
    subdomain: z.string().describe("The site's identifier."),
    commit: commit.nullable().describe('The commit that was built; `null` for an uploaded archive.'),
    source: z.literal('api').describe('Trigger of the build.'),
    report: buildReportSchema.nullable().describe('The build report as data; `null` until the build has ended.'),
  })
  .meta({ id: 'UpdateStatus', description: 'The status of a build.', examples: [example] });

function logLine(one: Diagnostic): string {
  const others = otherPlacesText(one);
  return `${one.severity} ${placeText(one)} [${one.code}] ${one.message} ${one.remedy}${others ? ` (${others})` : ''}`;
}

function statusView(deployment: DeploymentRow): z.infer<typeof answer> {
  return {
    _id: deployment.id,
    projectId: deployment.siteId,
    createdAt: deployment.createdAt,
    endedAt: deployment.endedAt,
    status: deployment.status,
    summary: deployment.summary,
    logs: deployment.report?.diagnostics.map(logLine) ?? [],
    subdomain: deployment.slug,
    commit: null,
    source: 'api',
    report: deployment.report,
  };
}

/** `POST /v1/project/update/{projectId}` and `GET /v1/project/update-status/{statusId}` */
export function buildRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'POST /v1/project/update/:projectId',
    operationId: 'updateProject',
    summary: 'Rebuild a site',
    description:
      'Builds the last uploaded source again and publishes it. Follow the build with `GET /v1/project/update-status/{statusId}`.',
    permission: 'projects.write',
    limit: limitsFrom(deps.config.limits).publishesPerOrganisation,
    params: projectParams,
    answer: startedBuildSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, reply }) => {
      const statusId = await updateProject(deps, actor, params.projectId, showLimit(reply));
      return { statusId };
    },
  });
  operation({
    route: 'GET /v1/project/update-status/:statusId',
    operationId: 'getUpdateStatus',
    summary: 'Get the status of a build',
    description:
      'Returns the status of a build, and its report once it has ended. Poll it until `status` is `success` or `failure`.',
    permission: 'projects.read',
    params: z.object({
      statusId: z.string().meta({
        description: 'The `statusId` that the operation which started the build returned.',
        examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'],
      }),
    }),
    answer,
    run: async ({ actor, params }) => {
      const deployment = await getDeployment(deps, actor, params.statusId);
      return statusView(deployment);
    },
  });
}
