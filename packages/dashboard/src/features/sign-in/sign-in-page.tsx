import { addressAfterSignIn } from '@docent/format/access/return-address.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { AnchorButton, Button, LinkButton } from '../../ui/button.tsx';
import { EmailField, NewPasswordField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Loaded, Notice } from '../../ui/page.tsx';
import { OrganizationSignIn } from './organization-sign-in.tsx';
import { CodeForm, SignInSteps } from './sign-in-steps.tsx';
import { SignedOut } from './signed-out.tsx';
import { openProvider } from './single-sign-on.tsx';

/** What `done` says after a password was set. */
const PASSWORD_SET = 'password';

/** The sign-in page: password, single sign-on, and the second factor if enabled. */
export function SignInPage() {
  const { next, error: refusal, done } = useSearch({ strict: false });
  const query = useQuery(sessionQuery);
  if (query.data?.setupRequired) return <Navigate to="/setup" />;
  const address = addressAfterSignIn(next);
  return (
    <SignedOut title="Sign in">
      {done === PASSWORD_SET && (
        <div className="mb-4">
          <Notice tone="success">Your new password is set. Sign in with it.</Notice>
        </div>
      )}
      <Loaded query={query}>
        {(session) => (
          <SignInSteps
            session={session}
            refusal={refusal}
            forgotten={
              <Link to="/reset" className="text-accent-text underline">
                Forgot your password?
              </Link>
            }
            onDone={() => window.location.assign(address)}
            onProvider={(provider) => openProvider('sign-in/social', provider, address)}
            other={<OrganizationSignIn address={address} />}
          />
        )}
      </Loaded>
    </SignedOut>
  );
}

/** Where somebody who signed in again in a tab of its own continues. */
export function SignedInPage() {
  return (
    <SignedOut
      title="You are signed in"
      about="Close this tab, and continue in the one where you were working."
    >
      <AnchorButton href="/dashboard">Open the dashboard here</AnchorButton>
    </SignedOut>
  );
}

/** The page that a link to set a password opens, sent by mail or by an operator. */
export function ResetPage() {
  const { token = '' } = useParams({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  const link = useQuery({
    queryKey: ['password-reset', token],
    queryFn: () => api.get('/v1/auth/reset-password/{token}', { path: { token } }),
    retry: false,
    // A link that was good when the page was opened stays on it: sending the form is what says that
    // it is no longer.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [isAskedForCode, setAskedForCode] = useState(false);
  if (isAskedForCode)
    return (
      <SignedOut title="Enter your code">
        <CodeForm onDone={() => window.location.assign('/dashboard')} />
      </SignedOut>
    );
  if (link.error instanceof ApiError && link.error.code === 'link_refused')
    return (
      <SignedOut
        title="This link is not valid"
        about={`It has expired or was used already. ${session?.mail ? 'Request a new one.' : 'Ask the operator of this server for a new one.'}`}
      >
        {session?.mail ? (
          <LinkButton to="/reset" variant="primary">
            Request a new link
          </LinkButton>
        ) : (
          <LinkButton to="/sign-in">Sign in</LinkButton>
        )}
      </SignedOut>
    );
  return (
    <SignedOut title="Set a password" about={link.data && `It is for ${link.data.email}.`}>
      <Loaded query={link}>
        {({ email }) => (
          <ResetForm
            token={token}
            email={email}
            onDone={(needsCode) =>
              needsCode
                ? setAskedForCode(true)
                : window.location.assign(
                    session?.signIn.password === false
                      ? '/dashboard'
                      : `/dashboard/sign-in?done=${PASSWORD_SET}`,
                  )
            }
          />
        )}
      </Loaded>
    </SignedOut>
  );
}

interface ResetFormProps {
  token: string;
  email: string;
  /** Called with whether the account also needs its second factor. */
  onDone: (needsCode: boolean) => void;
}

function ResetForm({ token, email, onDone }: ResetFormProps) {
  const form = useApiForm({
    values: { newPassword: '' },
    submit: ({ newPassword }) =>
      api.post('/v1/auth/reset-password', { body: { token, newPassword } }),
    onDone: ({ twoFactorRedirect = false }) => onDone(twoFactorRedirect),
  });
  return (
    <Form form={form} action="Set password" isWide>
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" {...form.field('newPassword')} />
    </Form>
  );
}

/** The page that a link to a new email address opens. */
export function ConfirmEmailPage() {
  const { token = '' } = useParams({ strict: false });
  const confirm = useMutation({
    mutationFn: () => api.post('/v1/auth/confirm-email', { body: { token } }),
  });
  const { data, error } = confirm;
  if (data)
    return (
      <SignedOut title="Your email address is changed" about={`You sign in with ${data.email}.`}>
        <AnchorButton href="/dashboard">Open the dashboard</AnchorButton>
      </SignedOut>
    );
  if (error instanceof ApiError && ['link_refused', 'account_exists'].includes(error.code ?? ''))
    return (
      <SignedOut title="Your email address is not changed" about={error.message}>
        <AnchorButton href="/dashboard/account/profile">Open your account</AnchorButton>
      </SignedOut>
    );
  return (
    <SignedOut
      title="Confirm your email address"
      about="Your account gets the address that this link was sent to."
    >
      {error && (
        <div className="mb-4">
          <Notice tone="danger">{error.message}</Notice>
        </div>
      )}
      <Button variant="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
        Use this address
      </Button>
    </SignedOut>
  );
}

/** Requests a link to set a password. */
export function ForgotPage() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useApiForm({
    values: { email: '' },
    submit: (body) => api.post('/v1/auth/request-password-reset', { body }),
    onDone: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== undefined)
    return (
      <SignedOut title="Check your mail">
        <p role="status">
          If {sentTo} has an account, a link to set a password is on its way. It works once, within
          an hour.
        </p>
      </SignedOut>
    );
  return (
    <SignedOut title="Forgot your password?" about="You get a mail with a link to set a new one.">
      <Form form={form} action="Send link" isWide>
        <EmailField {...form.field('email')} />
      </Form>
    </SignedOut>
  );
}
