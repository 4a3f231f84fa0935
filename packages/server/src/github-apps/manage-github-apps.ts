import { randomBytes } from 'node:crypto';
import { type Action, type Actor, actorId, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { listAt, textAt, valueAt } from '@docent/format/json-value.ts';
import { githubApi, isGitHubHost } from '@docent/format/sources/github.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { sealSecret } from '../kernel/sealed-secrets.ts';
import { HostFault } from '../outside/call-host.ts';
import {
  countGitHubApps,
  deleteGitHubApp,
  deleteUncreatedApps,
  findGitHubApp,
  findUncreatedApp,
  type GitHubAppRow,
  insertGitHubApp,
  listGitHubApps,
  updateGitHubApp,
} from './app-queries.ts';
import { callAsApp } from './call-as-app.ts';

type AppDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'secret' | 'hostCalls' | 'logger'>;

/** Of an organization. */
export const MAX_APPS = 10;
/** GitHub keeps what it answers to a manifest for this long. */
const CODE_MS = 3600 * 1000;
const MAX_NAME = 34;
const MAX_REPOSITORIES = 1000;
const PAGE = 100;

/** What an app may do, and what it sends: nothing but what a Git source needs. */
const PERMISSIONS = {
  checks: 'write',
  contents: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'write',
};
const EVENTS = ['push', 'pull_request'];

/** A form that a browser sends to GitHub, where a person confirms it. */
export interface ManifestForm {
  action: string;
  manifest: string;
}

export interface AppRepository {
  url: string;
  name: string;
  defaultBranch: string;
  isPrivate: boolean;
}

/** Returns the address that an app sends its webhooks to. */
export function appWebhookUrl({ config }: Pick<Deps, 'config'>, id: string): string {
  return `${config.publicUrl}/v1/github-apps/${id}/webhook`;
}

/**
 * Prepares an app that the organization will own at GitHub.
 * @param owner login of an organization at GitHub; empty for the account of the person there
 * @throws DocentError those of `requirePermission`, `invalid_request`
 */
export async function createGitHubApp(
  deps: AppDeps,
  actor: Actor,
  { host, owner }: { host: string; owner: string },
): Promise<ManifestForm> {
  requirePermission(actor, 'github-apps.write');
  if (!isGitHubHost(host))
    throw new DocentError('invalid_request', 'This is not the host of GitHub.', {
      errors: [{ path: '/host', message: 'Enter a host name, such as github.com.' }],
    });
  const { organizationId } = actor;
  const createdAt = deps.clock.now();
  const id = createUlid(createdAt);
  const state = randomBytes(32).toString('base64url');
  const slug = await deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    await deleteUncreatedApps(transaction, organizationId, new Date(createdAt.getTime() - CODE_MS));
    if ((await countGitHubApps(transaction, organizationId)) >= MAX_APPS)
      throw new DocentError(
        'invalid_request',
        `An organization can have ${MAX_APPS} GitHub Apps; remove one first, or wait an hour for those that nobody created.`,
      );
    const madeBy = actorId(actor);
    const stateHash = hashSecret(state);
    await insertGitHubApp(transaction, { id, organizationId, host, stateHash, madeBy, createdAt });
    return (await findOrganization(transaction, organizationId))?.slug ?? '';
  });
  const place = owner === '' ? '' : `/organizations/${encodeURIComponent(owner)}`;
  return {
    action: `https://${host}${place}/settings/apps/new?state=${encodeURIComponent(state)}`,
    manifest: JSON.stringify(manifestOf(deps, { id, slug })),
  };
}

function manifestOf(deps: AppDeps, { id, slug }: { id: string; slug: string }) {
  const { publicUrl } = deps.config;
  const page = `${publicUrl}/dashboard/${slug}/settings/github-app`;
  const { protocol, hostname } = new URL(publicUrl);
  // GitHub refuses an address that it cannot reach; the repository is then looked at from time to time.
  const canBeCalled = protocol === 'https:' && hostname.includes('.');
  return {
    name: `Docent ${slug}`.slice(0, MAX_NAME),
    url: publicUrl,
    description: 'Publishes documentation from repositories, and previews pull requests.',
    redirect_url: page,
    setup_url: page,
    public: false,
    default_permissions: PERMISSIONS,
    ...(canBeCalled && {
      hook_attributes: { url: appWebhookUrl(deps, id), active: true },
      default_events: EVENTS,
    }),
  };
}

/**
 * Stores the app that a person has created at GitHub.
 * @param code what GitHub sent back, with the state
 * @throws DocentError `github_app_not_found` if nobody prepared it, or it was stored already;
 *   `invalid_request`, `dependency_unavailable` if GitHub does not accept the code
 */
export async function completeGitHubApp(
  deps: AppDeps,
  actor: Actor,
  { state, code }: { state: string; code: string },
): Promise<GitHubAppRow> {
  requirePermission(actor, 'github-apps.write');
  const { queries } = deps.database;
  const { organizationId } = actor;
  const app = await findUncreatedApp(queries, organizationId, hashSecret(state));
  if (!app)
    throw new DocentError(
      'github_app_not_found',
      'Nobody is creating this app here, or it is stored already; create it again.',
    );
  const created = await atGitHub(() =>
    deps.hostCalls.call(
      { organizationId, authorization: undefined },
      {
        method: 'POST',
        url: `${githubApi(app.host)}/app-manifests/${encodeURIComponent(code)}/conversions`,
      },
    ),
  );
  const text = (name: string) => textAt(created, name);
  const [appId, slug, privateKey] = [text('id'), text('slug'), text('pem')];
  if (!appId || !slug || !privateKey)
    throw new DocentError(
      'dependency_unavailable',
      'GitHub did not answer with an app; try again.',
    );
  const secrets = { privateKey, webhookSecret: text('webhook_secret') ?? '' };
  const page = text('html_url') ?? '';
  await updateGitHubApp(queries, app.id, {
    stateHash: null,
    appId,
    name: text('name') ?? slug,
    owner: textAt(valueAt(created, 'owner'), 'login') ?? null,
    htmlUrl: page.startsWith(`https://${app.host}/`)
      ? page
      : `https://${app.host}/apps/${encodeURIComponent(slug)}`,
    secrets: sealSecret(deps.secret, 'GitHub Apps', JSON.stringify(secrets)),
  });
  return appOf(deps, actor, 'github-apps.write', app.id);
}

/**
 * Returns the apps of the organization, newest first. @throws DocentError those of
 * `requirePermission`, `invalid_request`
 */
export async function listOrganizationApps(
  deps: AppDeps,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<GitHubAppRow>> {
  requirePermission(actor, 'github-apps.read');
  return readPage(
    request,
    (slice) => listGitHubApps(deps.database.queries, actor.organizationId, slice),
    byCreation,
  );
}

/**
 * Returns the repositories that an app is installed for, by name.
 * @throws DocentError `github_app_not_found`; `invalid_request`, `dependency_unavailable` if GitHub
 *   does not answer
 */
export async function listAppRepositories(
  deps: AppDeps,
  actor: Actor,
  id: string,
): Promise<AppRepository[]> {
  const app = await appOf(deps, actor, 'github-apps.read', id);
  return atGitHub(async () => {
    const repositories: AppRepository[] = [];
    for (const installation of await installationsOf(deps, app)) {
      const token = await tokenOf(deps, app, installation);
      if (token === undefined) continue;
      for (let page = 1; repositories.length < MAX_REPOSITORIES; page++) {
        const answer = await deps.hostCalls.call(
          { organizationId: app.organizationId, authorization: `Bearer ${token}` },
          {
            method: 'GET',
            url: `${githubApi(app.host)}/installation/repositories?per_page=${PAGE}&page=${page}`,
          },
        );
        const items = listAt(answer, 'repositories');
        repositories.push(...items.flatMap((item) => repositoryOf(app, item)));
        if (items.length < PAGE) break;
      }
    }
    return repositories.sort((a, b) => a.name.localeCompare(b.name));
  });
}

function repositoryOf({ host }: GitHubAppRow, item: unknown): AppRepository[] {
  const name = textAt(item, 'full_name');
  if (!name || !/^[\w.-]+\/[\w.-]+$/.test(name)) return [];
  const defaultBranch = textAt(item, 'default_branch') ?? 'main';
  const isPrivate = valueAt(item, 'private') === true;
  return [{ url: `https://${host}/${name}`, name, defaultBranch, isPrivate }];
}

/** Returns the ids of the installations that are not suspended. */
async function installationsOf(deps: AppDeps, app: GitHubAppRow): Promise<string[]> {
  const url = `/app/installations?per_page=${PAGE}`;
  const answer = await callAsApp(deps, app, { method: 'GET', url });
  return (Array.isArray(answer) ? answer : []).flatMap((item: unknown) => {
    const id = textAt(item, 'id');
    return id && textAt(item, 'suspended_at') === undefined ? [encodeURIComponent(id)] : [];
  });
}

async function tokenOf(deps: AppDeps, app: GitHubAppRow, installation: string) {
  const answer = await callAsApp(deps, app, {
    method: 'POST',
    url: `/app/installations/${installation}/access_tokens`,
    body: { permissions: { metadata: 'read' } },
  });
  return textAt(answer, 'token');
}

/**
 * Removes an app that no site is published with: its key is deleted, and it is uninstalled at
 * GitHub if that can be reached. The app itself stays there until its owner deletes it.
 * @throws DocentError `github_app_not_found`; `github_app_in_use` naming the sites
 */
export async function removeGitHubApp(deps: AppDeps, actor: Actor, id: string): Promise<void> {
  const app = await appOf(deps, actor, 'github-apps.write', id);
  const sites = await deleteGitHubApp(deps.database.queries, id);
  if (sites.length > 0)
    throw new DocentError(
      'github_app_in_use',
      `The app is used by ${sites.slice(0, 5).join(', ')}${sites.length > 5 ? ` and ${sites.length - 5} more` : ''}; choose other credentials there first.`,
    );
  try {
    for (const installation of await installationsOf(deps, app))
      await callAsApp(deps, app, { method: 'DELETE', url: `/app/installations/${installation}` });
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    deps.logger.info({ id, reason: error.message }, 'A removed GitHub App is still installed.');
  }
}

async function atGitHub<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    if (error.kind === 'busy')
      throw new DocentError('dependency_unavailable', `${error.message} Try again later.`);
    const reason = error.kind === 'missing' ? 'GitHub does not know it' : error.message;
    throw new DocentError('invalid_request', `${reason}; create the app again.`);
  }
}

async function appOf(
  deps: AppDeps,
  actor: Actor,
  action: Action,
  id: string,
): Promise<GitHubAppRow> {
  requirePermission(actor, action);
  const app = isUlid(id) ? await findGitHubApp(deps.database.queries, id) : undefined;
  if (app?.organizationId !== actor.organizationId)
    throw new DocentError(
      'github_app_not_found',
      'The organization has no such GitHub App; list its apps.',
    );
  return app;
}
