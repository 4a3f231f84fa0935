import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type Actor, actorId } from '@docent/format/access/may.ts';
import { isSlug, maxPreviewName, previewLabelOf, previewNameOf } from '@docent/format/access/site-name.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { OPEN_PATH } from '@docent/theme/plain-page.ts';
import {
  countPreviews,
  deletePreviewRow,
  findPreview,
  findPreviewWithState,
  insertPreview,
  listPreviews,
  type PreviewRow,
  type PreviewWithState,
  updatePreview,
} from '../../db/deployments/previews.ts';
import type { ListSlice } from '../../db/query-parts.ts';
import { lockSite } from '../../db/sites/sites.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, isSecret } from '../kernel/ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findPermittedSite } from './find-site.ts';
import { defaultAddressOf } from './site-address.ts';

type PreviewDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'passwords'>;

/** An owner's settings of a preview; omitted ones are unchanged. */
interface PreviewOptions {
  /** `null`: public. */
  password?: string | null | undefined;
  /** Whether only members of the organization may read it; a password makes it false. */
  membersOnly?: boolean | undefined;
  /** Days that it is kept after each deployment; `null` means forever. */
  lifetimeDays?: number | null | undefined;
}

/** A preview with its address. */
export interface PreviewDetails extends PreviewWithState {
  url: string;
}

const DEFAULT_LIFETIME_DAYS = 30;
const MAX_PREVIEWS = 100;
const HASH_CHARACTERS = 6;
/** Reserved: the filter of deployments gives these words another meaning. */
const NO_NAMES = new Set(['true', 'false']);

/** Returns the address of a preview. */
export function previewUrlOf(name: string, slug: string, config: Deps['config']): string {
  return defaultAddressOf(previewLabelOf(name, slug), config);
}

/**
 * Returns the previews of a site that have not expired, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not create
 */
export async function listSitePreviews(
  deps: PreviewDeps,
  actor: Actor,
  project: string,
  request: PageRequest,
): Promise<ListPage<PreviewDetails>> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const now = deps.clock.now();
  const read = (slice: ListSlice) => listPreviews(deps.database.queries, site.id, { now, ...slice });
  const page = await readPage(request, read, byCreation);
  const rows = page.rows.map((preview) => ({ ...preview, url: previewUrlOf(preview.name, site.slug, deps.config) }));
  return { ...page, rows };
}

/**
 * Returns the preview of a branch; creates it if missing. Its lifetime starts again now.
 * @throws DocentError `site_not_found`; `invalid_request` for a branch that results in no valid name; `quota_exceeded`
 */
export async function openPreview(
  deps: PreviewDeps,
  actor: Actor,
  project: string,
  branch: string,
  options: PreviewOptions = {},
): Promise<PreviewDetails> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const name = requireName(branch, site.slug);
  const access = await accessOf(deps, options);
  const preview = await deps.database.queries.transaction().execute(async (transaction) => {
    if (!(await lockSite(transaction, site.id))) throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
    const existingPreview = await findPreview(transaction, site.id, name);
    // Two branches may result in the same name.
    const isOther = existingPreview !== undefined && existingPreview.branch !== branch;
    const previewName = isOther ? nameWithHash(name, branch, site.slug) : name;
    const old = isOther ? await findPreview(transaction, site.id, previewName) : existingPreview;
    const { lifetimeDays = old ? old.lifetimeDays : DEFAULT_LIFETIME_DAYS } = options;
    const now = deps.clock.now();
    const next = {
      passwordHash: old?.passwordHash ?? null,
      membersOnly: old?.membersOnly ?? false,
      ...access,
      lifetimeDays,
      expiresAt: lifetimeDays === null ? null : new Date(now.getTime() + lifetimeDays * DAY_MS),
      updatedAt: now,
    };
    if (old) {
      await updatePreview(transaction, old.id, next);
      return old.name;
    }
    if ((await countPreviews(transaction, site.id)) >= MAX_PREVIEWS) {
      throw new DocentError('quota_exceeded', `A site may have ${MAX_PREVIEWS} previews; delete one first.`);
    }
    await insertPreview(transaction, {
      id: createUlid(now),
      siteId: site.id,
      name: previewName,
      branch,
      createdAt: now,
      createdBy: actorId(actor),
      ...next,
    });
    return previewName;
  });
  return readPreview(deps, site, preview);
}

/** Returns what changes in who may read a preview; nothing if the options do not say. */
async function accessOf(
  { passwords }: Pick<Deps, 'passwords'>,
  { password, membersOnly }: PreviewOptions,
): Promise<Partial<Pick<PreviewRow, 'passwordHash' | 'membersOnly'>>> {
  // The release before reads those of previews in this form already.
  const hash = (text: string) => passwords.hash(text, 2);
  if (membersOnly === true) {
    const message = 'A preview has either a password or is for members only; send one of them.';
    if (typeof password === 'string')
      throw new DocentError('invalid_request', message, { errors: [{ path: '/membersOnly', message }] });
    return { passwordHash: await hash(randomBytes(32).toString('base64url')), membersOnly: true };
  }
  if (typeof password === 'string') return { passwordHash: await hash(password), membersOnly: false };
  return password === null || membersOnly === false ? { passwordHash: null, membersOnly: false } : {};
}

async function readPreview(
  { database, clock, config }: PreviewDeps,
  site: { id: string; slug: string },
  name: string,
): Promise<PreviewDetails> {
  const preview = isSlug(name) ? await findPreviewWithState(database.queries, site.id, name, clock.now()) : undefined;
  if (!preview) throw new DocentError('preview_not_found', 'The site has no such preview; it may have expired.');
  return { ...preview, url: previewUrlOf(preview.name, site.slug, config) };
}

/**
 * Changes who may read a preview, and how long it is kept.
 * @throws DocentError `site_not_found`, `preview_not_found`; `invalid_request` for a password and members
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
  const { id, passwordHash, url } = await readPreview(deps, site, name);
  if (passwordHash === null) return { url: url + path };
  const token = makeToken(deps, 'open', { id, passwordHash }, OPEN_SECONDS);
  return { url: `${url}/${OPEN_PATH}?${new URLSearchParams({ token, to: path })}` };
}

function requireName(branch: string, slug: string): string {
  const room = maxPreviewName(slug);
  const name = room < 1 ? undefined : previewNameOf(branch, room);
  if (name !== undefined && !NO_NAMES.has(name)) return name;
  const message =
    room < 1
      ? `The identifier "${slug}" leaves no room for the name of a preview; a host name has at most 63 characters between dots. Give the site a shorter one.`
      : 'The name of a preview consists of letters a to z and digits; this one has none, or is a reserved word.';
  throw new DocentError('invalid_request', message, { errors: [{ path: '/branch', message }] });
}

function nameWithHash(name: string, branch: string, slug: string): string {
  const hash = createHash('sha256').update(branch).digest('hex').slice(0, HASH_CHARACTERS);
  const room = maxPreviewName(slug) - HASH_CHARACTERS - 1;
  return room < 1 ? hash.slice(0, maxPreviewName(slug)) : `${name.slice(0, room).replace(/-$/, '')}-${hash}`;
}

/**
 * Deletes a preview with its deployments; readers get 404 at once.
 * @throws DocentError `site_not_found`, `preview_not_found`
 */
export async function deletePreview(
  deps: PreviewDeps & Pick<Deps, 'blobs' | 'liveSites' | 'logger'>,
  actor: Actor,
  project: string,
  name: string,
): Promise<void> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const sourceKeys = await deps.database.queries.transaction().execute(async (transaction) => {
    const preview = isSlug(name) ? await findPreview(transaction, site.id, name) : undefined;
    if (!preview) throw new DocentError('preview_not_found', 'The site has no such preview; it may have expired.');
    return deletePreviewRow(transaction, preview.id);
  });
  deps.liveSites.invalidate(site.id);
  await Promise.all(sourceKeys.map((key) => deps.blobs.delete(key))).catch((error: unknown) => {
    const fields = { siteId: site.id, error: String(error) };
    deps.logger.warn(fields, 'uploads of a deleted preview could not be deleted; the clean-up job deletes them');
  });
}

/** How long a browser that entered the password has access. */
export const UNLOCKED_SECONDS = 7 * 24 * 60 * 60;

interface LockedPreview {
  id: string;
  passwordHash: string;
}

/** What a token permits: to read a preview, as its cookie; to open it, as a part of an address, which is seen in more places. */
type TokenUse = 'preview' | 'open';
type TokenDeps = Pick<Deps, 'secret' | 'clock'>;

/** Returns the value of the access cookie; changing the password invalidates it. */
export function makeUnlockToken(deps: TokenDeps, preview: LockedPreview): string {
  return makeToken(deps, 'preview', preview, UNLOCKED_SECONDS);
}

function makeToken({ secret, clock }: TokenDeps, use: TokenUse, preview: LockedPreview, seconds: number): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + seconds;
  return `${expires}.${sign(secret, use, preview, String(expires))}`;
}

export function isPreviewToken({ secret, clock }: TokenDeps, use: TokenUse, preview: LockedPreview, token: string): boolean {
  const [expires = '', signature = ''] = token.split('.');
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false;
  return isSecret(signature, sign(secret, use, preview, expires));
}

function sign(secret: string, use: TokenUse, { id, passwordHash }: LockedPreview, expires: string): string {
  return createHmac('sha256', secret).update(`${use} ${id} ${passwordHash} ${expires}`).digest('base64url');
}
