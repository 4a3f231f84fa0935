import { type Actor, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { readSamlInput, type SamlInput, storedSaml } from '../readers/access/saml-settings.ts';
import type { SamlService } from '../readers/sign-in/saml.ts';
import {
  endProviderSessions,
  findSignIn,
  hasIdentity,
  type OrganizationSignIn,
  saveSignIn,
} from './queries.ts';

type SignInDeps = Pick<Deps, 'database' | 'clock' | 'config'>;

export type SignInChanges = {
  saml?: Omit<SamlInput, 'emailDomains' | 'logoutUrl'> | null | undefined;
  required?: boolean | undefined;
};

/** Returns what an organization is for its provider: the names stay if its identifier changes. */
export function serviceOf(
  { publicUrl }: Pick<Deps['config'], 'publicUrl'>,
  organizationId: string,
): SamlService & { signInUrl: string } {
  const signInUrl = `${publicUrl}/v1/sign-in/${organizationId}`;
  return { signInUrl, entityId: `${signInUrl}/metadata`, callbackUrl: `${signInUrl}/saml` };
}

/** Returns how people of the actor's organization sign in. @throws DocentError `role_missing` */
export async function readSignIn(
  { database, config }: SignInDeps,
  actor: Actor,
): Promise<OrganizationSignIn & { service: ReturnType<typeof serviceOf> }> {
  requirePermission(actor, 'sign-in.read');
  const signIn = await findSignIn(database.queries, actor.organizationId);
  return { ...signIn, service: serviceOf(config, actor.organizationId) };
}

/**
 * Changes how people of the actor's organization sign in. Sessions of a former provider end.
 * @throws DocentError `role_missing`; `invalid_request` naming the field, also if the provider would
 *   be required before the actor has come in through it and has a way in without it
 */
export async function changeSignIn(deps: SignInDeps, actor: Actor, changes: SignInChanges) {
  requirePermission(actor, 'owners.write');
  const { organizationId } = actor;
  const input = changes.saml && (await readSamlInput({ ...changes.saml, ...UNUSED }));
  await deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = await findSignIn(transaction, organizationId);
    const now = deps.clock.now();
    const stamp = { generation: createUlid(now), changedAt: now.toISOString() };
    const saml =
      changes.saml === undefined
        ? before.saml
        : input
          ? storedSaml(input, before.saml ?? undefined, stamp)
          : null;
    const required = changes.required ?? (before.required && saml !== null);
    const isOther = saml?.entityId !== before.saml?.entityId;
    if (required && (!before.required || isOther))
      await requireWayIn(transaction, actor, saml?.entityId);
    await saveSignIn(transaction, organizationId, { saml, required }, now);
    if (before.saml && saml?.generation !== before.saml.generation)
      await endProviderSessions(transaction, organizationId);
  });
  return readSignIn(deps, actor);
}

/** Of readers alone: a provider of people decides whom it signs in. */
const UNUSED = { emailDomains: [], logoutUrl: null };

/** Whoever requires a provider must have used it, and must not depend on it. */
async function requireWayIn(
  queries: Parameters<typeof findSignIn>[0],
  actor: Actor,
  issuer: string | undefined,
): Promise<void> {
  if (issuer === undefined) throw refused('Add a provider of SAML first.');
  if (actor.kind !== 'member') return;
  const { organizationId, userId } = actor;
  if (!(await hasIdentity(queries, { organizationId, issuer }, userId)))
    throw refused('Sign in through the provider once, then require it.');
  const account = await queries
    .selectFrom('users')
    .select('two_factor_enabled')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!account?.two_factor_enabled)
    throw refused(
      'Turn on two-factor authentication in your account first: it is the way in for owners when the provider is down.',
    );
}

function refused(message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path: '/required', message }] });
}

/** Returns the organization of an address of its sign-in, if it has a provider. */
export async function findProvider({ database }: Pick<Deps, 'database'>, name: string) {
  const organization = await findOrganization(database.queries, name);
  const { saml } = organization
    ? await findSignIn(database.queries, organization.id)
    : { saml: null };
  return organization && saml ? { organization, saml } : undefined;
}
