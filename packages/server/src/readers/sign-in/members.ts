import type { Actor } from '@docent/format/access/may.ts';
import { findEmail } from '../../kernel/access/member-queries.ts';
import type { Deps } from '../../kernel/deps.ts';
import { findPermittedSite } from '../../kernel/sites/find-site.ts';
import { publicUrlOf } from '../../kernel/sites/site-address.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { findAccess } from '../access/access-rows.ts';
import { passAddress, takePass } from './passes.ts';

type MemberDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'secret'>;

/** What a pass says that signs a member in. */
interface Member {
  generation: string;
  userId: string;
}

const USE = 'members who read';
export const MEMBER_CALLBACK_PATH = 'login/member-callback';

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
  const { generation } = members;
  const place = { siteId: site.id, callback: `${url}/${MEMBER_CALLBACK_PATH}`, path };
  return { url: passAddress<Member>(deps, USE, place, { generation, userId: actor.userId }) };
}

/**
 * Returns the sign-in of a member; undefined if the token is not for this site, has expired, or was
 * used.
 */
export async function memberSignIn(
  deps: MemberDeps,
  siteId: string,
  { members }: StoredMethods,
  token: string,
): Promise<SignIn | undefined> {
  const member = await takePass<Member>(deps, USE, siteId, token);
  if (!member || member.generation !== members?.generation) return undefined;
  const { generation, userId } = member;
  const reader = { id: `member:${userId}`, groups: [], content: {}, apiPlaygroundInputs: {} };
  const name = await findEmail(deps.database.queries, userId);
  return { method: 'members', generation, userId, reader, name };
}
