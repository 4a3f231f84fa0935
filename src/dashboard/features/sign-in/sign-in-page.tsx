import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { addressAfterSignIn } from '../../api/return-address.ts';
import { AnchorButton } from '../../ui/button.tsx';
import { NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Loaded } from '../../ui/page.tsx';
import { CodeForm, SignInSteps } from './sign-in-steps.tsx';
import { SignedOut } from './signed-out.tsx';
import { openProvider } from './single-sign-on.tsx';

/** The sign-in page: password, single sign-on, and the second factor if enabled. */
export function SignInPage() {
  const { next, error: refusal } = useSearch({ strict: false });
  const query = useQuery(sessionQuery);
  if (query.data?.setupRequired) return <Navigate to="/setup" />;
  const address = addressAfterSignIn(next);
  return (
    <SignedOut title="Sign in">
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
          />
        )}
      </Loaded>
    </SignedOut>
  );
}

/** Where somebody who signed in again in a tab of its own continues. */
export function SignedInPage() {
  return (
    <SignedOut title="You are signed in" about="Close this tab, and continue in the one where you were working.">
      <AnchorButton href="/dashboard">Open the dashboard here</AnchorButton>
    </SignedOut>
  );
}

/** Sets a password with the token of a link, sent by mail or by an operator. */
export function ResetPage() {
  const { token = '' } = useParams({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  const [isAskedForCode, setAskedForCode] = useState(false);
  const form = useApiForm({
    values: { newPassword: '' },
    submit: ({ newPassword }) => bodyOf(api.POST('/v1/auth/reset-password', { body: { token, newPassword } })),
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? setAskedForCode(true) : window.location.assign('/dashboard')),
  });
  if (isAskedForCode)
    return (
      <SignedOut title="Enter your code">
        <CodeForm onDone={() => window.location.assign('/dashboard')} />
      </SignedOut>
    );
  return (
    <SignedOut
      title="Set a password"
      about={session?.signIn.password === false ? 'Each code works once.' : 'Then sign in with it.'}
    >
      <Form form={form} action="Set password" isWide>
        <NewPasswordField label="New password" {...form.field('newPassword')} />
      </Form>
    </SignedOut>
  );
}

/** Requests a link to set a password. */
export function ForgotPage() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useApiForm({
    values: { email: '' },
    submit: (body) => api.POST('/v1/auth/request-password-reset', { body }),
    onDone: (_, { email }) => setSentTo(email),
  });
  if (sentTo !== undefined)
    return (
      <SignedOut title="Check your mail">
        <p role="status">If {sentTo} has an account, a link to set a password is on its way. It works once, within an hour.</p>
      </SignedOut>
    );
  return (
    <SignedOut title="Forgot your password?" about="You get a mail with a link to set a new one.">
      <Form form={form} action="Send link" isWide>
        <TextField label="Email" type="email" autoComplete="username" required {...form.field('email')} />
      </Form>
    </SignedOut>
  );
}
