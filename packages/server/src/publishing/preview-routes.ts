import { limitsFrom } from '@docent/format/access/limits.ts';
import type { DeploymentSource } from '@docent/format/deployments/commit.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { sourceOf } from '../kernel/operations/identify.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { showLimit } from '../kernel/operations/rate-limits.ts';
import { addToRequestLine } from '../kernel/operations/request-line.ts';
import {
  changePreview,
  deletePreview,
  listSitePreviews,
  openPreviewForMember,
} from '../previews/manage-previews.ts';
import { openPreview, type PreviewDetails } from '../previews/open-preview.ts';
import { commitExample } from './commit-schema.ts';
import { actorSchema, actorView, deploymentFields, deploymentStatus } from './deployment-schema.ts';
import { startPreview } from './start-deployment.ts';

const branch = plainText(1, 250).describe(
  'The branch of the preview. The name in its address is derived from it.',
);

const changes = {
  password: field.optional(
    z.string().min(8).max(200).nullable(),
    'Password for readers; `null` for none, so that everyone can read it. If omitted, it is unchanged.',
  ),
  membersOnly: field.flag.optional(
    'Whether only members of the organization can read it, with their account; not together with a password.',
  ),
  lifetimeDays: field.optional(
    z.int().min(1).max(3650).nullable(),
    'Days for which the preview is kept after each deployment, initially 30; `null` if it never expires.',
  ),
};

const options = z.strictObject({ branch, ...changes }).meta({
  examples: [{ branch: 'feature/new-start', password: 'correct horse battery', lifetimeDays: 14 }],
});

const lastDeployment = field.resource(
  'PreviewDeployment',
  'The deployment of a preview that was started last.',
  {
    id: field.text('Identifier of the deployment.'),
    status: deploymentStatus.describe('Its status.'),
    summary: deploymentFields.summary,
    commit: deploymentFields.commit,
    actor: deploymentFields.actor,
    source: deploymentFields.source,
  },
);

const preview = field.resource(
  'Preview',
  'A deployment of a site at its own address that is not live.',
  {
    name: field.text('Name of the preview, in its address and in paths.'),
    branch: field.text('The branch, as it was sent.'),
    url: field.text('Its URL.'),
    hasPassword: field.flag('Whether readers need a password.'),
    membersOnly: field.flag('Whether only members of the organization can read it.'),
    deploymentId: field.text.orNull(
      'The current deployment; `null` until the first has been built.',
    ),
    lastDeployment: field.orNull(
      lastDeployment,
      'The last deployment, regardless of its status; `null` if there is none.',
    ),
    lifetimeDays: field.int.orNull(
      'Days for which it is kept after each deployment; `null` if it never expires.',
    ),
    expiresAt: field.time.orNull('When it expires; `null` if never.'),
    createdAt: field.time('When it was created.'),
    createdBy: actorSchema.nullable().describe('Who created it; `null` for older previews.'),
  },
  {
    name: 'feature-new-start',
    branch: 'feature/new-start',
    url: 'https://feature-new-start--acme.docs.example.net',
    hasPassword: true,
    membersOnly: false,
    deploymentId: '01K9Z52N4T8W6X3C1V7B9M0QRS',
    lastDeployment: {
      id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
      status: 'success' as const,
      summary: '240 pages, 1 warning',
      commit: commitExample,
      actor: { kind: 'key' as const, name: 'GitHub Actions' },
      source: 'cli' as const,
    },
    lifetimeDays: 14,
    expiresAt: '2026-12-05T09:00:00.000Z',
    createdAt: '2026-11-21T09:00:00.000Z',
    createdBy: { kind: 'person' as const, name: 'Ada Lovelace' },
  },
);

const started = field.resource(
  'StartedPreview',
  'A started build of a preview.',
  {
    statusId: field.text('Identifier of the build, for requests of its status.'),
    previewUrl: field.text('URL of the preview, once it is built.'),
  },
  {
    statusId: '01K9Z52N4T8W6X3C1V7B9M0QRS',
    previewUrl: 'https://feature-new-start--acme.docs.example.net',
  },
);

function previewView({
  passwordHash,
  last,
  creator,
  ...row
}: PreviewDetails): z.infer<typeof preview> {
  const actorOf = (named: typeof creator, source: DeploymentSource | null) =>
    named && actorView({ ...named, source });
  return {
    ...row,
    hasPassword: passwordHash !== null && !row.membersOnly,
    createdBy: actorOf(creator, null),
    lastDeployment: last && { ...last, actor: actorOf(last.actor, last.source) },
  };
}

/** `/v1/projects/{projectId}/previews`, and `POST /v1/project/preview/{projectId}` */
export function previewRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Previews');
  const url = '/v1/projects/:projectId/previews';
  operation({
    route: `GET ${url}`,
    operationId: 'listPreviews',
    summary: 'List previews',
    description: 'Lists the previews of a site, newest first.',
    permission: 'projects.read',
    query: z.object(paging(100, 50)),
    answer: listOf(preview, 'The previews, newest first.'),
    run: async ({ actor, params, query }) =>
      pageOf(await listSitePreviews(deps, actor, params.projectId, query), previewView),
  });
  operation({
    route: `POST ${url}`,
    operationId: 'createPreview',
    summary: 'Create a preview',
    description:
      'Creates the preview of a branch with its password and lifetime, or changes those of an existing one. It has content once a source is uploaded with `PUT /v1/project/{projectId}/source?preview={branch}`.',
    permission: 'projects.write',
    body: options,
    answer: preview,
    status: 201,
    run: async ({ actor, params, body }) => {
      const { branch: of, ...rest } = body;
      const opened = await openPreview(deps, actor, params.projectId, of, rest);
      deps.liveSites.invalidate(opened.siteId);
      return previewView(opened);
    },
  });
  operation({
    route: `PATCH ${url}/:previewName`,
    operationId: 'changePreview',
    summary: 'Change a preview',
    description:
      'Changes who can read a preview and how long it is kept. Its lifetime starts again now. A new password invalidates the access of all readers.',
    permission: 'projects.write',
    body: z.strictObject(changes).meta({ examples: [{ membersOnly: true, lifetimeDays: 7 }] }),
    answer: preview,
    run: async ({ actor, params, body }) => {
      const changed = await changePreview(deps, actor, params.projectId, params.previewName, body);
      deps.liveSites.invalidate(changed.siteId);
      return previewView(changed);
    },
  });
  operation({
    route: `GET ${url}/:previewName/open`,
    operationId: 'openPreview',
    summary: 'Open a preview',
    description:
      'Returns an address that opens a preview in a browser without its password, for a minute. This is how members open a preview that is for members only.',
    permission: 'projects.read',
    query: z.object({
      path: z
        .string()
        .max(2000)
        .regex(/^\/(?![/\\])[!-~]*$/, 'must be a path')
        .default('/')
        .describe('The path of the page to open.'),
    }),
    answer: field.resource(
      'OpenedPreview',
      'An address that opens a preview.',
      { url: field.text('The address to open.') },
      { url: 'https://feature-new-start--acme.docs.example.net/_docent/open?token=…&to=%2F' },
    ),
    run: ({ actor, params, query }) =>
      openPreviewForMember(deps, actor, {
        project: params.projectId,
        name: params.previewName,
        path: query.path,
      }),
  });
  operation({
    route: `DELETE ${url}/:previewName`,
    operationId: 'deletePreview',
    summary: 'Delete a preview',
    description:
      'Deletes a preview with its deployments. Readers get 404 immediately. Promoted deployments of it are kept.',
    permission: 'projects.write',
    answer: z.null().describe('The preview is deleted.'),
    run: ({ actor, params }) => deletePreview(deps, actor, params.projectId, params.previewName),
  });
  operation({
    route: 'POST /v1/project/preview/:projectId',
    operationId: 'startPreview',
    summary: 'Build a preview',
    description:
      'Builds the preview of a branch from the last source uploaded for it, or from the last source of the site if there is none. Follow the build with `GET /v1/project/update-status/{statusId}`.',
    permission: 'projects.write',
    limit: limitsFrom(deps.config.limits).publishesPerOrganization,
    body: z.object({ branch }).meta({ examples: [{ branch: 'feature/new-start' }] }),
    answer: started,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, body, request, reply }) => {
      const rebuild = {
        source: sourceOf(request, actor),
        requestId: request.id,
        onCounted: showLimit(reply),
      };
      const preview = await startPreview(deps, actor, params.projectId, body.branch, rebuild);
      addToRequestLine(request, { deploymentId: preview.statusId });
      return preview;
    },
  });
}
