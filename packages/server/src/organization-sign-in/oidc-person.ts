import { refusedSignIn, requireDomain } from '../readers/sign-in/claims.ts';
import {
  type Challenge,
  groupsIn,
  type ProviderDeps,
  readOidcClaims,
} from '../readers/sign-in/providers.ts';
import type { ProviderPerson } from './admit-person.ts';
import type { PeopleProvider } from './manage-sign-in.ts';

/**
 * Ends a sign-in with the OpenID Connect provider of an organization.
 * @param answer the address that the provider sent the browser to
 * @throws DocentError `sign_in_required` saying why the person is refused; `dependency_unavailable`
 */
export async function readOidcPerson(
  deps: ProviderDeps,
  { settings, issuer }: Extract<PeopleProvider, { kind: 'oidc' }>,
  answer: URL,
  challenge: Challenge,
): Promise<ProviderPerson> {
  const claims = await readOidcClaims(deps, settings, answer, challenge);
  const textOf = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // The address decides who somebody is when they come for the first time. Some providers send a text.
  if (!settings.trustsEmail && String(claims.email_verified) !== 'true')
    throw refusedSignIn(
      'the provider does not say that the email address is verified; an owner can trust its addresses.',
    );
  requireDomain(settings.emailDomains, claims);
  return {
    issuer,
    subject: String(claims.sub).slice(0, 300),
    email: textOf('email'),
    firstName: textOf('given_name'),
    lastName: textOf('family_name'),
    name: textOf('name'),
    groups: settings.groupsClaim === null ? undefined : groupsIn(settings, claims),
  };
}
