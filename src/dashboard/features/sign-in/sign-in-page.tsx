import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Loaded, Notice } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';
import { SsoButtons, ssoFault } from './single-sign-on.tsx';

/** The sign-in page: password, single sign-on, and the second factor if enabled. */
export function SignInPage() {
  const { next, error: refusal } = useSearch({ strict: false });
  const query = useQuery(sessionQuery);
  const [isAskedForCode, setAskedForCode] = useState(false);
  if (query.data?.setupRequired) return <Navigate to="/setup" />;
  const enter = () => window.location.assign(placeAfter(next));
  return (
    <SignedOut title="Sign in">
      <Loaded query={query}>
        {(session) =>
          isAskedForCode ? (
            <CodeForm onDone={enter} />
          ) : (
            <div className="flex flex-col gap-4">
              {refusal !== undefined && <Notice tone="danger">{ssoFault(refusal)}</Notice>}
              {session.signIn.password && (
                <PasswordForm onDone={enter} onCode={() => setAskedForCode(true)} sendsMail={session.mail} />
              )}
              <SsoButtons session={session} callbackURL={placeAfter(next)} />
            </div>
          )
        }
      </Loaded>
    </SignedOut>
  );
}

/** Only redirects inside the dashboard are followed: anyone can write a query string. */
function placeAfter(next: string | undefined): string {
  return next !== undefined && /^\/dashboard(?:[/?]|$)/.test(next) ? next : '/dashboard';
}

function PasswordForm({ onDone, onCode, sendsMail }: { onDone: () => void; onCode: () => void; sendsMail: boolean }) {
  const form = useApiForm({
    values: { email: '', password: '' },
    submit: (body) => bodyOf(api.POST('/v1/auth/sign-in/email', { body })),
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? onCode() : onDone()),
  });
  return (
    <>
      <Form form={form} action="Sign in" isWide>
        <TextField label="Email" type="email" autoComplete="username" required {...form.field('email')} />
        <TextField label="Password" type="password" autoComplete="current-password" required {...form.field('password')} />
      </Form>
      <p className="text-s text-muted">
        {sendsMail ? (
          <Link to="/reset" className="text-accent-text underline">
            Forgot your password?
          </Link>
        ) : (
          <>
            Forgot your password? This server sends no mail. Ask its operator for a link: they run{' '}
            <code className="font-mono text-xs">docent users reset</code> with your email address.
          </>
        )}
      </p>
    </>
  );
}

/** Asks for the second factor. */
function CodeForm({ onDone }: { onDone: () => void }) {
  const [isRecovery, setRecovery] = useState(false);
  const form = useApiForm({
    values: { code: '' },
    submit: ({ code }) =>
      api.POST(`/v1/auth/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { body: { code: code.trim() } }),
    onDone,
  });
  return (
    <div className="flex flex-col gap-4">
      <Form form={form} action="Continue" isWide>
        <TextField
          label={isRecovery ? 'Recovery code' : 'Code'}
          hint={isRecovery ? 'Each recovery code works once.' : 'The six digits from your authenticator app.'}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          required
          {...form.field('code')}
        />
      </Form>
      <Button variant="ghost" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
    </div>
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
