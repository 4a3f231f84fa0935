import { z } from 'zod';
import { FRAME_ANCESTOR, SCRIPT_SOURCE } from '../../../core/access/site-settings.ts';
import type { Deps } from '../../../services/deps.ts';
import { changeSiteSecurity, readSiteSecurity } from '../../../services/sites/change-site.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams as params } from './project-schema.ts';

/** Together with the rest of the policy, this fits into the header limit of common proxies. */
const MAX_SOURCES = 20;
const MAX_SOURCE_LENGTH = 150;

const scriptSource = z
  .string()
  .max(MAX_SOURCE_LENGTH)
  .regex(
    SCRIPT_SOURCE,
    "Must be an https host such as https://cdn.example.com, a path on it, or a hash such as 'sha256-…' in single quotes; no wildcard.",
  );
const frameAncestor = z
  .string()
  .max(MAX_SOURCE_LENGTH)
  .regex(
    FRAME_ANCESTOR,
    "Must be an origin such as https://app.example.com in lower case, or 'self' in single quotes; no wildcard.",
  );

const fields = {
  scriptSources: z
    .array(scriptSource)
    .max(MAX_SOURCES)
    .describe('Additional script sources of pages: https hosts, paths on them, and hashes of inline scripts.'),
  frameAncestors: z
    .array(frameAncestor)
    .max(MAX_SOURCES)
    .nullable()
    .describe(
      "Origins whose pages may embed the site in a frame; `'self'` is the site itself. Empty: none. `null`: the platform’s default (`DOCENT_FRAME_ANCESTORS`).",
    ),
};
const example = {
  scriptSources: ['https://cdn.example.com'],
  frameAncestors: ["'self'", 'https://app.example.com'],
};

const settings = z.object(fields).meta({
  id: 'SecuritySettings',
  description: 'The Content-Security-Policy of the pages of a site.',
  examples: [example],
});
const changes = z
  .strictObject(fields)
  .partial()
  .meta({ examples: [{ scriptSources: example.scriptSources }] });

/** `GET` and `PATCH /v1/project/{projectId}/security-settings` */
export function securitySettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/security-settings';
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectSecuritySettings',
    summary: 'Get the security settings',
    description: 'Returns the security settings of a site.',
    permission: 'projects.read',
    params,
    answer: settings,
    run: ({ actor, params }) => readSiteSecurity(deps, actor, params.projectId),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectSecuritySettings',
    summary: 'Change the security settings',
    description: 'Changes the given settings and keeps the others; a list replaces the previous one. Returns all settings.',
    permission: 'security.write',
    params,
    body: changes,
    answer: settings,
    run: ({ actor, params, body }) => changeSiteSecurity(deps, actor, params.projectId, body),
  });
}
