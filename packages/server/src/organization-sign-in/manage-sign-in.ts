import { allowsIp, formatIp, type IpAddress, parseIpRange } from '@docent/format/access/ip.ts';
import { type Actor, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { findOrganization } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import type { OidcSettings } from '../ports/readers/reader-tables.ts';
import { type OidcInput, storedProvider } from '../readers/access/provider-settings.ts';
import { readSamlInput, type SamlInput, storedSaml } from '../readers/access/saml-settings.ts';
import type { SamlService } from '../readers/sign-in/saml.ts';
import {
  endProviderSessions,
  findSignIn,
  hasIdentity,
  type OrganizationSignIn,
  saveSignIn,
} from './queries.ts';

type SignInDeps = Pick<Deps, 'database' | 'clock' | 'config' | 'keyCache' | 'secret'>;

export type SignInChanges = {
  saml?: Omit<SamlInput, 'emailDomains' | 'logoutUrl'> | null | undefined;
  oidc?:
    | (Omit<OidcInput, 'informationUrl' | 'logoutUrl' | 'endsSession'> & { trustsEmail: boolean })
    | null
    | undefined;
  required?: boolean | undefined;
  allowedAddresses?: string[] | undefined;
  limitsKeys?: boolean | undefined;
  /** Whether the actor may lock themself out. */
  force?: boolean | undefined;
};

/** Returns what an organization is for its provider: the names stay if its identifier changes. */
export function serviceOf(
  { publicUrl }: Pick<Deps['config'], 'publicUrl'>,
  organizationId: string,
): SamlService & { signInUrl: string; oidcCallbackUrl: string } {
  const signInUrl = `${publicUrl}/v1/sign-in/${organizationId}`;
  return {
    signInUrl,
    entityId: `${signInUrl}/metadata`,
    callbackUrl: `${signInUrl}/saml`,
    oidcCallbackUrl: `${signInUrl}/oidc`,
  };
}

/** Returns how people of the actor's organization sign in. @throws DocentError `role_missing` */
export async function readSignIn(
  { database, config }: Pick<SignInDeps, 'database' | 'config'>,
  actor: Actor,
): Promise<OrganizationSignIn & { service: ReturnType<typeof serviceOf> }> {
  requirePermission(actor, 'sign-in.read');
  const signIn = await findSignIn(database.queries, actor.organizationId);
  return { ...signIn, service: serviceOf(config, actor.organizationId) };
}

/**
 * Changes how people of the actor's organization sign in. Sessions of a former provider end.
 * @param client address of the actor, if it is known
 * @throws DocentError `role_missing`; `invalid_request` naming the field, also if the provider would
 *   be required before the actor has come in through it and has a way in without it, and if the
 *   allowed addresses would lock the actor out
 */
export async function changeSignIn(
  deps: SignInDeps,
  actor: Actor,
  changes: SignInChanges,
  client: IpAddress | undefined,
) {
  requirePermission(actor, 'owners.write');
  const { allowedAddresses } = changes;
  if (allowedAddresses) {
    requireRanges(allowedAddresses);
    if (actor.kind === 'member' && !changes.force) requireAllowed(allowedAddresses, client);
  }
  const { organizationId } = actor;
  const input = changes.saml && (await readSamlInput({ ...changes.saml, ...UNUSED }));
  await deps.database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    const before = await findSignIn(transaction, organizationId);
    const now = deps.clock.now();
    const stamp = { generation: createUlid(now), changedAt: now.toISOString() };
    const providers = {
      saml:
        changes.saml === undefined
          ? before.saml
          : input
            ? storedSaml(input, before.saml ?? undefined, stamp)
            : null,
      oidc:
        changes.oidc === undefined
          ? before.oidc
          : changes.oidc &&
            storedProvider<OidcSettings & { trustsEmail: boolean }>(
              deps.secret,
              'oidc',
              { ...changes.oidc, informationUrl: null, logoutUrl: null },
              before.oidc ?? undefined,
              stamp,
            ),
    };
    const [provider, former] = [providerIn(providers), providerIn(before)];
    if (providers.saml && providers.oidc)
      throw refused(
        changes.oidc ? '/oidc' : '/saml',
        `An organization has one provider. Set "${changes.oidc ? 'saml' : 'oidc'}" to null in the same request.`,
      );
    const required = changes.required ?? (before.required && provider !== undefined);
    const isOther = provider?.issuer !== former?.issuer;
    if (required && (!before.required || isOther))
      await requireWayIn(transaction, actor, provider?.issuer);
    const next = {
      ...providers,
      required,
      allowedAddresses: allowedAddresses ?? before.allowedAddresses,
      limitsKeys: changes.limitsKeys ?? before.limitsKeys,
    };
    await saveSignIn(transaction, organizationId, next, now);
    if (former && provider?.settings.generation !== former.settings.generation)
      await endProviderSessions(transaction, organizationId);
  });
  deps.keyCache.invalidateOrganization(organizationId);
  return readSignIn(deps, actor);
}

function requireRanges(texts: readonly string[]): void {
  const errors = texts.flatMap((text, index) => {
    const message = `"${text}" is not an address or a CIDR range, or it allows every address.`;
    return parseIpRange(text) ? [] : [{ path: `/allowedAddresses/${index}`, message }];
  });
  const detail = errors.map(({ message }) => message).join(' ');
  if (errors.length > 0) throw new DocentError('invalid_request', detail, { errors });
}

/** Whoever limits the addresses must not lock themself out by mistake. */
function requireAllowed(list: readonly string[], client: IpAddress | undefined): void {
  if (allowsIp(list, client)) return;
  const address = client ? formatIp(client) : 'which the server does not know';
  throw refused(
    '/allowedAddresses',
    `Add your own address, ${address}: without it you lock yourself out.`,
  );
}

/** Of readers alone: a provider of people decides whom it signs in. */
const UNUSED = { emailDomains: [], logoutUrl: null };

/** Whoever requires a provider must have used it, and must not depend on it. */
async function requireWayIn(
  queries: Parameters<typeof findSignIn>[0],
  actor: Actor,
  issuer: string | undefined,
): Promise<void> {
  if (issuer === undefined) throw refused('/required', 'Add a provider first.');
  if (actor.kind !== 'member') return;
  const { organizationId, userId } = actor;
  if (!(await hasIdentity(queries, { organizationId, issuer }, userId)))
    throw refused('/required', 'Sign in through the provider once, then require it.');
  const account = await queries
    .selectFrom('users')
    .select('two_factor_enabled')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!account?.two_factor_enabled)
    throw refused(
      '/required',
      'Turn on two-factor authentication in your account first: it is the way in for owners when the provider is down.',
    );
}

function refused(path: string, message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path, message }] });
}

type Settings<Kind extends 'saml' | 'oidc'> = NonNullable<OrganizationSignIn[Kind]>;

/** The provider of an organization, and how its identities name it. */
export type PeopleProvider = { issuer: string } & (
  | { kind: 'saml'; settings: Settings<'saml'> }
  | { kind: 'oidc'; settings: Settings<'oidc'> }
);

/** Returns the provider of an organization. */
function providerIn({
  saml,
  oidc,
}: Pick<OrganizationSignIn, 'saml' | 'oidc'>): PeopleProvider | undefined {
  if (saml) return { kind: 'saml', settings: saml, issuer: saml.entityId };
  // Some providers have the same name in both protocols, but other names for people.
  return oidc ? { kind: 'oidc', settings: oidc, issuer: `oidc:${oidc.issuer}` } : undefined;
}

/** Returns the organization of an address of its sign-in, if it has a provider. */
export async function findProvider({ database }: Pick<Deps, 'database'>, name: string) {
  const organization = await findOrganization(database.queries, name);
  const provider = organization && providerIn(await findSignIn(database.queries, organization.id));
  return organization && provider ? { organization, provider } : undefined;
}
