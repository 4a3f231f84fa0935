import type { Action, Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../../kernel/deps.ts';
import { createUlid, isUlid } from '../../kernel/ids.ts';
import { byCreation, type PageRequest, readPage } from '../../kernel/list-pages.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import type { SiteRow } from '../../kernel/sites/site-queries.ts';
import { lockSite } from '../../kernel/sites/site-queries.ts';
import type { Transaction } from '../../ports/database.ts';
import type { AccessRow } from '../../ports/readers/reader-store.ts';
import type { StoredMethod } from '../../ports/readers/reader-tables.ts';
import { withSiteGroups } from '../sessions/reader-sessions.ts';
import {
  deleteReaderSession,
  deleteReaderSessions,
  listReaderSessions,
} from '../sessions/session-rows.ts';
import { findAccess, storeAccess } from './access-rows.ts';
import { changedMethods, invalid, type MethodChanges, prepareMethods } from './change-methods.ts';
import { createTokenKey } from './token-keys.ts';

type AccessDeps = Pick<
  Deps,
  'database' | 'clock' | 'config' | 'liveSites' | 'readerSessions' | 'passwords' | 'secret'
>;

/** An owner's changes; what is absent stays. */
export interface AccessChanges extends MethodChanges {
  visibility?: 'public' | 'private' | undefined;
  sessionDays?: number | undefined;
}

/** Who may read a site, with the site. */
export type SiteAccessDetails = AccessRow & { site: SiteRow; url: string };

/** Returns who may read a site. @throws DocentError `site_not_found` */
export async function readSiteAccess(
  deps: AccessDeps,
  actor: Actor,
  project: string,
): Promise<SiteAccessDetails> {
  const site = await findPermittedSite(deps, actor, 'access.read', project);
  return detailsOf(deps, site, await findAccess(deps.database.queries, site.id));
}

/**
 * Changes who may read a site; it is served so within a second. A way to sign in with other
 * credentials ends the sessions that it started.
 * @throws DocentError `site_not_found`; `invalid_request` naming the field
 */
export async function changeSiteAccess(
  deps: AccessDeps,
  actor: Actor,
  project: string,
  changes: AccessChanges,
): Promise<SiteAccessDetails> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  const { visibility, sessionDays, ...changed } = changes;
  const input = await prepareMethods(deps, changed);
  if (input.mail && !deps.config.mail)
    throw invalid('/mail', 'This server sends no mail; its operator sets DOCENT_SMTP_URL first.');
  return storeChanges(deps, site, ({ methods, ...before }) => ({
    isPrivate: visibility === undefined ? before.isPrivate : visibility === 'private',
    sessionDays: sessionDays ?? before.sessionDays,
    methods: changedMethods(deps, methods, input, () => stampOf(deps)),
  }));
}

/**
 * Creates the key pair for tokens of readers. The previous key is no longer accepted, and its
 * sessions end.
 * @returns also the private key, which is not stored
 * @throws DocentError like `changeSiteAccess`
 */
export async function createSiteTokenKey(
  deps: AccessDeps,
  actor: Actor,
  project: string,
): Promise<{ details: SiteAccessDetails; privateKey: string }> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  const { keys, privateKey } = createTokenKey();
  const details = await storeChanges(deps, site, (before) => {
    const jwt = { loginUrl: before.methods.jwt?.loginUrl ?? null, keys, ...stampOf(deps) };
    return { ...before, methods: { ...before.methods, jwt } };
  });
  return { details, privateKey };
}

/** Changes the access of a site as it is now, while no other change can come between. */
async function storeChanges(
  deps: AccessDeps,
  site: SiteRow,
  changed: (before: AccessRow) => AccessRow,
): Promise<SiteAccessDetails> {
  const access = await deps.database.queries.transaction().execute(async (transaction) => {
    const next = changed(await lockAccess(transaction, site.id));
    requireUsable(deps, site, next);
    await storeAccess(transaction, site.id, next, deps.clock.now());
    return next;
  });
  deps.liveSites.invalidate(site.id);
  deps.readerSessions.invalidate(site.id);
  return detailsOf(deps, site, access);
}

async function lockAccess(transaction: Transaction, siteId: string): Promise<AccessRow> {
  if (!(await lockSite(transaction, siteId)))
    throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
  return findAccess(transaction, siteId);
}

/** What is new with other credentials. */
function stampOf({ clock }: Pick<AccessDeps, 'clock'>): StoredMethod {
  const now = clock.now();
  return { generation: createUlid(now), changedAt: now.toISOString() };
}

/** A site that nobody could read would only surprise its owners. */
function requireUsable(deps: AccessDeps, site: SiteRow, { isPrivate, methods }: AccessRow): void {
  if (!isPrivate) return;
  if (Object.keys(methods).length === 0)
    throw invalid(
      '/visibility',
      'A private site needs a way to sign in: set one together with it, such as a password.',
    );
  if (publicUrlOf(site, deps.config).startsWith(`${deps.config.publicUrl}/sites/`))
    throw invalid(
      '/visibility',
      'A private site needs an address of its own, where its cookies stay: add a hostname, or let the operator set DOCENT_SITES_DOMAIN.',
    );
}

function detailsOf({ config }: AccessDeps, site: SiteRow, access: AccessRow): SiteAccessDetails {
  return { ...access, site, url: publicUrlOf(site, config) };
}

/**
 * Returns a page of the open sessions of readers, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSiteSessions(
  deps: AccessDeps,
  actor: Actor,
  project: string,
  request: PageRequest,
) {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  const now = deps.clock.now();
  const { queries } = deps.database;
  return readPage(
    request,
    async (slice) =>
      withSiteGroups(
        queries,
        site.id,
        await listReaderSessions(queries, site.id, { now, ...slice }),
      ),
    byCreation,
  );
}

/**
 * Ends a session of a reader, or all of a site. @throws DocentError `site_not_found`,
 * `reader_session_not_found`
 */
export async function endSiteSessions(
  deps: AccessDeps,
  actor: Actor,
  project: string,
  sessionId?: string,
): Promise<{ ended: number }> {
  const site = await findPermittedSite(deps, actor, 'access.write' satisfies Action, project);
  const { queries } = deps.database;
  const ended =
    sessionId === undefined
      ? await deleteReaderSessions(queries, site.id)
      : Number(isUlid(sessionId) && (await deleteReaderSession(queries, site.id, sessionId)));
  deps.readerSessions.invalidate(site.id);
  if (ended === 0 && sessionId !== undefined)
    throw new DocentError(
      'reader_session_not_found',
      'The site has no such session; it may have ended.',
    );
  return { ended };
}
