import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { CodeForm } from './sign-in-page.tsx';
import { SignedOut } from './signed-out.tsx';

/** Sets a password with the token of a link, sent by mail or by an operator. */
export function ResetPage() {
  const { token = '' } = useParams({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  const [isAskedForCode, setAskedForCode] = useState(false);
  const form = useApiForm({
    values: { newPassword: '' },
    submit: ({ newPassword }) => send<{ twoFactorRedirect?: boolean }>('POST', '/v1/auth/reset-password', { token, newPassword }),
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
    submit: (values) => send('POST', '/v1/auth/request-password-reset', values),
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
