import { randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import type { Deps } from '../../kernel/deps.ts';
import { hashSecret } from '../../kernel/ids.ts';
import { openSecret, sealSecret } from '../../kernel/sealed-secrets.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { findAccess } from '../access/access-rows.ts';
import type { SignIn } from '../sessions/reader-sessions.ts';
import { useProof } from './proof-rows.ts';

type MemberDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'secret'>;

/** What an address says that signs a member in. */
interface Pass {
  id: string;
  siteId: string;
  generation: string;
  userId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const MEMBER_CALLBACK_PATH = 'login/member-callback';
const PASS_MS = 60_000;

/**
 * Returns an address that signs a member in to a site, once and for a minute; for other callers
 * that of the page.
 * @param path path of the site to open
 * @throws DocentError `site_not_found`
 */
export async function openSiteForMember(
  deps: MemberDeps,
  actor: Actor,
  project: string,
  path: string,
): Promise<{ url: string }> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const url = publicUrlOf(site, deps.config);
  const { members } = (await findAccess(deps.database.queries, site.id)).methods;
  if (!members || actor.kind !== 'member') return { url: url + path };
  const expiresAt = deps.clock.now().getTime() + PASS_MS;
  const pass: Pass = {
    id: randomUUID(),
    siteId: site.id,
    generation: members.generation,
    userId: actor.userId,
    expiresAt,
  };
  const token = sealSecret(deps.secret, 'members who read', JSON.stringify(pass));
  return {
    url: `${url}/${MEMBER_CALLBACK_PATH}?${new URLSearchParams({ token, redirect: path })}`,
  };
}

/**
 * Returns the sign-in of a member; undefined if the token is not for this site, has expired, or was
 * used.
 */
export async function memberSignIn(
  { database, clock, secret }: MemberDeps,
  siteId: string,
  { members }: StoredMethods,
  token: string,
): Promise<SignIn | undefined> {
  const text = openSecret(secret, 'members who read', token);
  if (text === undefined || !members) return undefined;
  const pass = JSON.parse(text) as Pass;
  const { generation, userId, expiresAt } = pass;
  if (
    pass.siteId !== siteId ||
    generation !== members.generation ||
    expiresAt <= clock.now().getTime()
  )
    return undefined;
  if (!(await useProof(database.queries, hashSecret(`${siteId} ${pass.id}`), new Date(expiresAt))))
    return undefined;
  const user = await database.queries
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst();
  const reader = { id: `member:${userId}`, groups: [], content: {}, apiPlaygroundInputs: {} };
  return { method: 'members', generation, userId, reader, name: user?.email };
}
