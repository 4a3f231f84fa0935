import { createHmac } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import { OPEN_PATH } from '@docent/theme/plain-page.ts';
import type { ListSlice } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { isSecret } from '../kernel/ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { previewUrlOf } from '../kernel/sites/site-address.ts';
import type { Transaction } from '../ports/database.ts';
import { type EmitDeps, emitEvent } from '../webhooks-out/emit/emit-event.ts';
import {
  openPreview,
  type PreviewDeps,
  type PreviewDetails,
  type PreviewOptions,
  readPreview,
  storedPreview,
} from './open-preview.ts';
import { protectionOf } from './preview-protection.ts';
import {
  deleteExpiredPreviews,
  deletePreviewRow,
  findPreviewById,
  listPreviews,
} from './queries.ts';

/**
 * Returns the previews of a site that have not expired, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSitePreviews(
  deps: PreviewDeps,
  actor: Actor,
  project: string,
  request: PageRequest,
): Promise<ListPage<PreviewDetails>> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const now = deps.clock.now();
  const read = (slice: ListSlice) =>
    listPreviews(deps.database.queries, site.id, { now, ...slice });
  const page = await readPage(request, read, byCreation);
  const rows = page.rows.map((preview) => ({
    ...preview,
    url: previewUrlOf(preview.name, site.slug, deps.config),
  }));
  return { ...page, rows };
}

/**
 * Changes who may read a preview, and how long it is kept.
 * @throws DocentError `site_not_found`, `preview_not_found`; `invalid_request` for a password and
 *   members
 */
export async function changePreview(
  deps: PreviewDeps,
  actor: Actor,
  project: string,
  name: string,
  options: PreviewOptions,
): Promise<PreviewDetails> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const { branch } = await readPreview(deps, site, name);
  return openPreview(deps, actor, site.id, branch, options);
}

/** How long the address works that opens a preview for a member. */
const OPEN_SECONDS = 60;

/**
 * Returns an address that opens a preview for whoever may read the site, without its password.
 * @param path path of the preview to open
 * @throws DocentError `site_not_found`, `preview_not_found`
 */
export async function openPreviewForMember(
  deps: PreviewDeps & Pick<Deps, 'secret'>,
  actor: Actor,
  { project, name, path }: { project: string; name: string; path: string },
): Promise<{ url: string }> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const { url, ...preview } = await readPreview(deps, site, name);
  const { id } = preview;
  const { passwordHash } = protectionOf(site, preview);
  if (passwordHash === null) return { url: url + path };
  const token = makeToken(deps, 'open', { id, passwordHash }, OPEN_SECONDS);
  return { url: `${url}/${OPEN_PATH}?${new URLSearchParams({ token, to: path })}` };
}

/**
 * Deletes a preview with its deployments; readers get 404 at once.
 * @throws DocentError `site_not_found`, `preview_not_found`
 */
export async function deletePreview(
  deps: PreviewDeps & RemovalDeps,
  actor: Actor,
  project: string,
  name: string,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const { id } = await storedPreview(deps.database.queries, site.id, name);
  await removePreview(deps, site.id, id);
}

export type RemovalDeps = EmitDeps & Pick<Deps, 'database' | 'blobs' | 'liveSites' | 'logger'>;

/** Deletes a preview with its deployments, if it still exists. */
export async function removePreview(
  deps: RemovalDeps,
  siteId: string,
  previewId: string,
): Promise<void> {
  const sourceKeys = await deps.database.queries.transaction().execute(async (transaction) => {
    const preview = await findPreviewById(transaction, previewId);
    if (!preview) return [];
    await emitEnded(deps, transaction, { ...preview, siteId });
    return deletePreviewRow(transaction, previewId);
  });
  deps.liveSites.invalidate(siteId);
  await Promise.all(sourceKeys.map((key) => deps.blobs.delete(key))).catch((error: unknown) => {
    const fields = { siteId, error: String(error) };
    deps.logger.warn(
      fields,
      'uploads of a deleted preview could not be deleted; the clean-up job deletes them',
    );
  });
}

/** Deletes expired previews with their deployments. @returns how many */
export async function expirePreviews(
  deps: EmitDeps & Pick<Deps, 'database' | 'liveSites'>,
): Promise<number> {
  const previews = await deps.database.queries.transaction().execute(async (transaction) => {
    const expired = await deleteExpiredPreviews(transaction, deps.clock.now());
    for (const preview of expired) await emitEnded(deps, transaction, preview);
    return expired;
  });
  for (const { siteId } of previews) deps.liveSites.invalidate(siteId);
  return previews.length;
}

async function emitEnded(
  deps: EmitDeps,
  transaction: Transaction,
  { siteId, name, branch }: { siteId: string; name: string; branch: string },
): Promise<void> {
  await emitEvent(deps, transaction, {
    type: 'preview.ended',
    siteId,
    title: name,
    path: 'previews',
    details: { preview: name, branch },
  });
}

/** How long a browser that entered the password has access. */
export const UNLOCKED_SECONDS = 7 * 24 * 60 * 60;

interface LockedPreview {
  id: string;
  passwordHash: string;
}

/**
 * What a token permits: to read a preview, as its cookie; to open it, as a part of an address,
 * which is seen in more places.
 */
type TokenUse = 'preview' | 'open';
type TokenDeps = Pick<Deps, 'secret' | 'clock'>;

/** Returns the value of the access cookie; changing the password invalidates it. */
export function makeUnlockToken(deps: TokenDeps, preview: LockedPreview): string {
  return makeToken(deps, 'preview', preview, UNLOCKED_SECONDS);
}

function makeToken(
  { secret, clock }: TokenDeps,
  use: TokenUse,
  preview: LockedPreview,
  seconds: number,
): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + seconds;
  return `${expires}.${sign(secret, use, preview, String(expires))}`;
}

export function isPreviewToken(
  { secret, clock }: TokenDeps,
  use: TokenUse,
  preview: LockedPreview,
  token: string,
): boolean {
  const [expires = '', signature = ''] = token.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false;
  return isSecret(signature, sign(secret, use, preview, expires));
}

function sign(
  secret: string,
  use: TokenUse,
  { id, passwordHash }: LockedPreview,
  expires: string,
): string {
  return createHmac('sha256', secret)
    .update(`${use} ${id} ${passwordHash} ${expires}`)
    .digest('base64url');
}
