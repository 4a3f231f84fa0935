import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { SignedOut } from './signed-out.tsx';

/** Sets a password with the token of a link, which mail or an operator brings. */
export function ResetPage() {
  const { token = '' } = useParams({ strict: false });
  const form = useApiForm({
    values: { newPassword: '' },
    submit: ({ newPassword }) => send('POST', '/v1/auth/reset-password', { token, newPassword }),
    onDone: () => window.location.assign('/dashboard/sign-in'),
  });
  return (
    <SignedOut title="Set a password" about="Then sign in with it.">
      <Form form={form} action="Set password" isWide>
        <NewPasswordField label="New password" {...form.field('newPassword')} />
      </Form>
    </SignedOut>
  );
}

/** Asks for a link to set a password. */
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
