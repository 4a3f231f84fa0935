import { DocentError } from '@docent/format/errors.ts';
import { recordAccountAudit, recordAudit } from '../audit/audit-log.ts';
import { deleteInvitation, listInvitationsOf } from '../invitations/manage-invitations.ts';
import {
  deleteSsoCredentials,
  findSignInWays,
  hasUsers,
  insertMember,
} from '../kernel/access/member-queries.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import type { SsoSettings } from '../ports/accounts.ts';

type SsoDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'limiter' | 'logger'>;

/**
 * The configured identity provider and its admission rules: people of the allowed domains who have
 * an account, an open invitation, or access to the organization that everyone joins. Admits nobody
 * before the server is set up: the first person would own nothing, and the setup link would be
 * void.
 */
export function singleSignOn(deps: SsoDeps): SsoSettings | undefined {
  const { sso } = deps.config;
  if (!sso) return undefined;
  const { queries } = deps.database;
  return {
    ...sso,
    refusalOf: async ({ email, isNew }) => {
      const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
      if (sso.emailDomains.length > 0 && !sso.emailDomains.includes(domain))
        return 'domain_not_allowed';
      if (!isNew) return undefined;
      if (!(await hasUsers(queries))) return 'not_set_up';
      if (await findJoined(deps)) return undefined;
      const invitations = await listInvitationsOf(queries, email.toLowerCase(), deps.clock.now());
      return invitations.length > 0 ? undefined : 'not_invited';
    },
    onSignUp: async ({ userId, email }) => {
      for (const organizationId of await join(deps, userId, email)) {
        const actor = {
          kind: 'member',
          userId,
          sessionId: '',
          role: 'viewer',
          organizationId,
          plan: 'free',
        } as const;
        await recordAudit(deps, actor, {
          action: 'joinBySso',
          thing: userId,
          address: null,
          outcome: 'done',
          code: null,
        });
      }
    },
    onConnect: (userId) =>
      recordAccountAudit(deps, userId, {
        action: 'connectSingleSignOn',
        address: null,
        outcome: 'done',
        code: null,
      }),
  };
}

/**
 * Disconnects a person from the identity provider.
 * @throws DocentError `invalid_request` if they are not connected, or have no other sign-in method
 */
export async function disconnectSingleSignOn(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  userId: string,
): Promise<void> {
  const { hasSso } = await findSignInWays(database.queries, userId);
  if (!hasSso)
    throw new DocentError(
      'invalid_request',
      'Your account is not connected with an identity provider.',
    );
  if (config.passwords && (await deleteSsoCredentials(database.queries, userId))) return;
  const remedy = config.passwords
    ? 'set a password first, with a link of an operator (docent users reset) or by mail.'
    : 'passwords are turned off on this server.';
  throw new DocentError('invalid_request', `Single sign-on is your only way to sign in; ${remedy}`);
}

/** Returns the organization that everyone joins, if configured. */
async function findJoined({ config, database, logger }: SsoDeps) {
  const name = config.sso?.organization;
  if (name === undefined) return undefined;
  const organization = await findOrganization(database.queries, name);
  if (!organization)
    logger.error(
      { organization: name },
      'DOCENT_OIDC_ORGANIZATION is not an organization; nobody joins',
    );
  return organization;
}

/**
 * Accepts the invitations of the address, which the provider has verified, and joins the
 * organization that everyone joins.
 */
async function join(deps: SsoDeps, userId: string, email: string): Promise<string[]> {
  const { config, database, clock } = deps;
  const createdAt = clock.now();
  const joined = await findJoined(deps);
  return database.queries.transaction().execute(async (transaction) => {
    const invitations = await listInvitationsOf(transaction, email, createdAt);
    for (const { id, organizationId, role } of invitations) {
      await deleteInvitation(transaction, organizationId, id);
      await insertMember(transaction, { organizationId, userId, role, createdAt });
    }
    const organizations = invitations.map(({ organizationId }) => organizationId);
    if (!joined || organizations.includes(joined.id)) return organizations;
    await insertMember(transaction, {
      organizationId: joined.id,
      userId,
      role: config.sso?.role ?? 'viewer',
      createdAt,
    });
    return [...organizations, joined.id];
  });
}
