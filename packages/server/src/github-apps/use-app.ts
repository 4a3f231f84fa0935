import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';
import {
  findGitHubApp,
  type GitHubAppRow,
  listGitHubApps,
  updateGitHubApp,
} from './app-queries.ts';
import { MAX_APPS } from './manage-github-apps.ts';

type UseDeps = Pick<Deps, 'database' | 'clock'>;

/** Returns the apps of an organization, for a source of one of its sites. */
export function appsOfOrganization(
  { database }: Pick<Deps, 'database'>,
  organizationId: string,
): Promise<GitHubAppRow[]> {
  return listGitHubApps(database.queries, organizationId, { limit: MAX_APPS });
}

/** @throws DocentError `github_app_not_found` */
export async function appThatSends(
  { database }: Pick<Deps, 'database'>,
  id: string,
): Promise<GitHubAppRow> {
  const app = isUlid(id) ? await findGitHubApp(database.queries, id) : undefined;
  if (!app) throw new DocentError('github_app_not_found', 'There is no such GitHub App.');
  return app;
}

/** Records that an app has sent a message with its signature. */
export async function noteAppMessage({ database, clock }: UseDeps, id: string): Promise<void> {
  await updateGitHubApp(database.queries, id, { webhookAt: clock.now() });
}
