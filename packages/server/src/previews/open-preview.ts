import { createHash, randomBytes } from 'node:crypto';
import { type Actor, actorId } from '@docent/format/access/may.ts';
import { isSlug, maxPreviewName, previewNameOf } from '@docent/format/access/site-name.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { previewUrlOf } from '../kernel/sites/site-address.ts';
import { lockSite } from '../kernel/sites/site-queries.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import {
  countPreviews,
  findLongPreviewName,
  findPreview,
  findPreviewById,
  findPreviewWithState,
  insertPreview,
  type PreviewRow,
  type PreviewWithState,
  restrictOpenPreview,
  updatePreview,
} from './queries.ts';

export type PreviewDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'passwords'>;

/** An owner's settings of a preview; omitted ones are unchanged. */
export interface PreviewOptions {
  /** `null`: public. */
  password?: string | null | undefined;
  /** Whether only members of the organization may read it; a password makes it false. */
  membersOnly?: boolean | undefined;
  /** Days that it is kept after each deployment; `null` means forever. */
  lifetimeDays?: number | null | undefined;
}

/**
 * Of a pull request: only the preview with this id is its own, and the access is that of a new one.
 */
interface PullPreview {
  previewId: string | null;
  membersOnly: boolean;
}

/** A preview with its address. */
export interface PreviewDetails extends PreviewWithState {
  url: string;
}

type SiteNames = { id: string; slug: string };

const DEFAULT_LIFETIME_DAYS = 30;

const MAX_PREVIEWS = 100;

const HASH_CHARACTERS = 6;

/** Reserved: the filter of deployments gives these words another meaning. */
const NO_NAMES = new Set(['true', 'false']);

/**
 * Returns the preview of a branch; creates it if missing. Its lifetime starts again now.
 * @throws DocentError `site_not_found`; `invalid_request` for a branch that results in no valid
 *   name; `quota_exceeded`
 */
export async function openPreview(
  deps: PreviewDeps,
  actor: Actor,
  project: string,
  branch: string,
  options: PreviewOptions = {},
): Promise<PreviewDetails> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  return openPreviewOf(deps, site, branch, { ...options, createdBy: actorId(actor) });
}

/**
 * Like `openPreview`, of a site that the caller has found.
 * @param options `createdBy` is who creates it, as in the audit log; null for the server itself.
 *   With `pull`, a preview of the same name that somebody else opened is left alone: it may have
 *   other readers.
 */
export async function openPreviewOf(
  deps: PreviewDeps,
  site: SiteNames,
  branch: string,
  {
    createdBy,
    pull,
    ...options
  }: PreviewOptions & { createdBy: string | null; pull?: PullPreview },
): Promise<PreviewDetails> {
  requireName(branch, site.slug);
  const access = await accessOf(deps, options);
  const initial = pull ? await accessOf(deps, { membersOnly: pull.membersOnly }) : {};
  const preview = await deps.database.queries.transaction().execute(async (transaction) => {
    if (!(await lockSite(transaction, site.id)))
      throw new DocentError('site_not_found', 'The site was deleted in the meantime.');
    const { old, ...place } = await (pull ? placeOfPull : placeOfBranch)(
      transaction,
      site,
      branch,
      pull?.previewId ?? null,
    );
    const { lifetimeDays = old ? old.lifetimeDays : DEFAULT_LIFETIME_DAYS } = options;
    const now = deps.clock.now();
    const next = {
      passwordHash: old?.passwordHash ?? null,
      membersOnly: old?.membersOnly ?? false,
      ...(old ? {} : initial),
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
      throw new DocentError(
        'quota_exceeded',
        `A site may have ${MAX_PREVIEWS} previews; delete one first.`,
      );
    }
    await insertPreview(transaction, {
      id: createUlid(now),
      siteId: site.id,
      ...place,
      createdAt: now,
      createdBy,
      ...next,
    });
    return place.name;
  });
  return readPreview(deps, site, preview);
}

/** The preview of a branch, or the name and branch of a new one. */
interface PreviewPlace extends Pick<PreviewRow, 'name' | 'branch'> {
  old?: PreviewRow | undefined;
}

async function placeOfBranch(
  queries: QueryRunner,
  site: SiteNames,
  branch: string,
): Promise<PreviewPlace> {
  const name = requireName(branch, site.slug);
  const existing = await findPreview(queries, site.id, name);
  if (!existing || existing.branch === branch) return { name, branch, old: existing };
  // Two branches may result in the same name.
  const hashName = nameWithHash(name, branch, site.slug);
  return { name: hashName, branch, old: await findPreview(queries, site.id, hashName) };
}

async function placeOfPull(
  queries: QueryRunner,
  site: SiteNames,
  branch: string,
  previewId: string | null,
): Promise<PreviewPlace> {
  const old = previewId === null ? undefined : await findPreviewById(queries, previewId);
  if (old) return { name: old.name, branch: old.branch, old };
  const name = requireName(branch, site.slug);
  if (!(await findPreview(queries, site.id, name))) return { name, branch };
  const otherBranch = `${branch}-${randomBytes(HASH_CHARACTERS / 2).toString('hex')}`;
  return { name: requireName(otherBranch, site.slug), branch: otherBranch };
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
      throw new DocentError('invalid_request', message, {
        errors: [{ path: '/membersOnly', message }],
      });
    return { passwordHash: await hash(randomBytes(32).toString('base64url')), membersOnly: true };
  }
  if (typeof password === 'string')
    return { passwordHash: await hash(password), membersOnly: false };
  return password === null || membersOnly === false
    ? { passwordHash: null, membersOnly: false }
    : {};
}

/** Lets only members read a preview that everybody can read; one with a password keeps it. */
export async function restrictPreview(
  deps: Pick<Deps, 'database' | 'passwords'>,
  id: string,
): Promise<void> {
  await restrictOpenPreview(deps.database.queries, id, await accessOf(deps, { membersOnly: true }));
}

export async function readPreview(
  deps: PreviewDeps,
  site: SiteNames,
  name: string,
): Promise<PreviewDetails> {
  return (await previewOf(deps, site, name)) ?? noPreview();
}

/** Returns a preview of a site, unless it has expired. */
export async function previewOf(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  site: SiteNames,
  name: string,
): Promise<PreviewDetails | undefined> {
  const preview = isSlug(name)
    ? await findPreviewWithState(database.queries, site.id, name, clock.now())
    : undefined;
  return preview && { ...preview, url: previewUrlOf(preview.name, site.slug, config) };
}

/**
 * Returns a preview of a site, which may have expired.
 * @throws DocentError `preview_not_found`
 */
export async function storedPreview(
  queries: QueryRunner,
  siteId: string,
  name: string,
): Promise<PreviewRow> {
  return (isSlug(name) ? await findPreview(queries, siteId, name) : undefined) ?? noPreview();
}

function noPreview(): never {
  throw new DocentError('preview_not_found', 'The site has no such preview; it may have expired.');
}

/**
 * The address of a preview has its name and the identifier of its site in one DNS label.
 * @throws DocentError `invalid_request` if a preview leaves no room for this identifier
 */
export async function requireRoomForPreviews(
  transaction: Transaction,
  siteId: string,
  slug: string,
): Promise<void> {
  const name = await findLongPreviewName(transaction, siteId, maxPreviewName(slug));
  if (name === undefined) return;
  const message = `The preview "${name}" makes the address too long together with "${slug}"; choose a shorter identifier, or delete the preview.`;
  throw new DocentError('invalid_request', message, { errors: [{ path: '/slug', message }] });
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
  return room < 1
    ? hash.slice(0, maxPreviewName(slug))
    : `${name.slice(0, room).replace(/-$/, '')}-${hash}`;
}
