import { useMutation } from '@tanstack/react-query';
import { api, messageOf, type Schema } from '../../api/client.ts';
import type { Session } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/page.tsx';

/** What the session names as a provider, other operations accept. */
export type Provider = Schema<'SingleSignOnStart'>['provider'];

/** A button for each identity provider. */
export function SsoButtons({
  session,
  onProvider,
}: {
  session: Session;
  onProvider: (provider: string) => Promise<void>;
}) {
  const start = useMutation({ mutationFn: onProvider });
  return (
    <>
      {start.error && <Notice tone="danger">{messageOf(start.error)}</Notice>}
      {session.signIn.sso.map(({ id, name }) => (
        <Button
          key={id}
          icon="shield-check"
          isBusy={start.isPending}
          onClick={() => start.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
    </>
  );
}

/**
 * Navigates to an identity provider, to sign in or to connect it.
 * @param callbackURL page of the dashboard to return to
 * @param tab where the provider is opened
 */
export async function openProvider(
  operation: 'sign-in/social' | 'link-social',
  provider: string,
  callbackURL: string,
  tab: Pick<Window, 'location'> = window,
): Promise<void> {
  const { url } = await api.post(`/v1/auth/${operation}`, {
    body: { provider: provider as Provider, callbackURL },
  });
  tab.location.assign(url);
}

const FAULTS: Record<string, string> = {
  access_denied: 'The identity provider did not let you in, or you canceled.',
  account_not_linked:
    'Your account has a password. Sign in with it, then connect single sign-on under Account, Security.',
  account_already_linked_to_different_user: 'Another account is connected to that identity.',
  domain_not_allowed: 'Your email domain is not allowed to sign in here.',
  email_does_not_match: 'The identity does not have the email address of your account.',
  email_not_found: 'The identity provider did not send your email address.',
  email_not_verified: 'The identity provider has not verified your email address.',
  not_invited: 'You have no invitation. Ask an admin of your organization for one.',
  not_set_up: 'This server is not set up yet. Use the set-up link that it printed when it started.',
  other_identity:
    'Your account is connected to another identity of this provider. Disconnect that under Account, Security first.',
  second_factor_missing:
    'This server requires a second factor, and the identity provider did not confirm one. Set one up there, then sign in again.',
  state_mismatch: 'The sign-in was started in another browser, or took too long. Try again.',
};

/** Explains why single sign-on failed, by the error code in the callback URL. */
export function ssoFault(code: string): string {
  return FAULTS[code] ?? 'The sign-in failed. Try again, or ask the operator of this server.';
}
