import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { findEmail } from '../../kernel/access/member-queries.ts';
import type { Deps } from '../../kernel/deps.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import { findAccess } from '../access/access-rows.ts';
import { passAddress, takePass } from './passes.ts';

type ViewDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'secret'>;

/** What a pass says of an admin who sees a site as a reader. */
interface View {
  groups: readonly string[];
  userId: string;
  /** The session of the dashboard, with which this one ends. */
  sessionId: string;
}

const USE = 'views as a reader';
const VIEW_MS = 30 * 60_000;
export const VIEW_CALLBACK_PATH = 'login/view-callback';

/**
 * Returns an address that opens a site as a reader with the given groups sees it, once and for a
 * minute. Admins may read all of a site, so they see no more than before.
 * @param path path of the site to open
 * @throws DocentError `site_not_found`; `invalid_request` if nobody can sign in to the site;
 *   `role_missing` for keys and the operator, who have no session
 */
export async function viewSiteAsReader(
  deps: ViewDeps,
  actor: Actor,
  project: string,
  { groups, path }: { groups: readonly string[]; path: string },
): Promise<{ url: string }> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  if (actor.kind !== 'member')
    throw new DocentError(
      'role_missing',
      'Only people who are signed in to the dashboard can do this: the view ends with their session.',
    );
  const { methods } = await findAccess(deps.database.queries, site.id);
  if (Object.keys(methods).length === 0)
    throw new DocentError(
      'invalid_request',
      'The site has no way to sign in, so all of its readers see the same; set one up first.',
    );
  const { userId, sessionId } = actor;
  const url = publicUrlOf(site, deps.config);
  const place = { siteId: site.id, callback: `${url}/${VIEW_CALLBACK_PATH}`, path };
  return { url: passAddress<View>(deps, USE, place, { groups, userId, sessionId }) };
}

/**
 * Returns the session of an admin who sees the site as a reader; undefined if the token is not for
 * this site, has expired, or was used.
 */
export async function viewSignIn(
  deps: ViewDeps,
  siteId: string,
  token: string,
): Promise<SignIn | undefined> {
  const view = await takePass<View>(deps, USE, siteId, token);
  if (!view) return undefined;
  const { groups, userId, sessionId } = view;
  return {
    method: 'view',
    generation: '',
    userId,
    viewerSessionId: sessionId,
    reader: { id: `view:${userId}`, groups, content: {}, apiPlaygroundInputs: {} },
    name: await findEmail(deps.database.queries, userId),
    expiresAt: new Date(deps.clock.now().getTime() + VIEW_MS),
  };
}
