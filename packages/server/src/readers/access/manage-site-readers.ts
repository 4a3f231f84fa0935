import { comparableGroup } from '@docent/format/access/audience.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../../kernel/deps.ts';
import { createUlid, isUlid } from '../../kernel/ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../../kernel/list-pages.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { lockSite } from '../../kernel/sites/site-queries.ts';
import { readerMailJob } from '../../ports/jobs.ts';
import {
  countSiteReaders,
  deleteSiteReader,
  listSiteReaderRows,
  type SiteReader,
  upsertSiteReader,
} from '../sessions/site-readers.ts';
import { findAccess } from './access-rows.ts';

type ReadersDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'jobs' | 'readerSessions'>;

const MAX_READERS = 5000;

/** Returns a page of the readers whom a site names, newest first. @throws DocentError `site_not_found`; `invalid_request` for the cursor */
export async function listSiteReaders(
  deps: ReadersDeps,
  actor: Actor,
  project: string,
  request: PageRequest,
): Promise<ListPage<SiteReader>> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  return readPage(
    request,
    (slice) => listSiteReaderRows(deps.database.queries, site.id, slice),
    byCreation,
  );
}

/**
 * Names a reader, or all with an email address of a domain, with groups; those of an entry of the
 * same address are replaced. Writes to a new reader where readers sign in by mail.
 * @throws DocentError `site_not_found`; `invalid_request` past the limit
 */
export async function inviteSiteReader(
  deps: ReadersDeps,
  actor: Actor,
  project: string,
  input: { address: string; groups: readonly string[] },
): Promise<SiteReader> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  const createdAt = deps.clock.now();
  const groups = [...new Set(input.groups.map(comparableGroup))].filter(Boolean);
  const entry = {
    id: createUlid(createdAt),
    address: input.address.toLowerCase(),
    groups,
    createdAt,
  };
  const reader = await deps.database.queries.transaction().execute(async (transaction) => {
    if (!(await lockSite(transaction, site.id)))
      throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
    const stored = await upsertSiteReader(transaction, site.id, entry);
    if ((await countSiteReaders(transaction, site.id)) > MAX_READERS)
      throw new DocentError(
        'invalid_request',
        `A site names at most ${MAX_READERS} readers: name a domain, or use an identity provider.`,
      );
    const { methods } = await findAccess(transaction, site.id);
    if (stored.id === entry.id && stored.address.includes('@') && methods.mail && deps.config.mail)
      await deps.jobs.enqueue(
        readerMailJob,
        { kind: 'invitation', siteId: site.id, email: stored.address },
        transaction,
      );
    return stored;
  });
  deps.readerSessions.invalidate(site.id);
  return reader;
}

/**
 * Removes a reader, or a domain; sessions that only it allowed end.
 * @throws DocentError `site_not_found`, `reader_not_found`
 */
export async function removeSiteReader(
  deps: ReadersDeps,
  actor: Actor,
  project: string,
  id: string,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'access.write', project);
  const isRemoved =
    isUlid(id) &&
    (await deps.database.queries
      .transaction()
      .execute((transaction) => deleteSiteReader(transaction, site.id, id)));
  deps.readerSessions.invalidate(site.id);
  if (!isRemoved) throw new DocentError('reader_not_found', 'The site names no such reader.');
}
