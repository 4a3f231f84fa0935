import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { ssoFault } from '../../api/sso-fault.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';
import { SsoButtons } from './sso-buttons.tsx';

/** The sign-in page: password, single sign-on, and the second factor if enabled. */
export function SignInPage() {
  const { next, error: refusal } = useSearch({ strict: false });
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [isAskedForCode, setAskedForCode] = useState(false);
  if (session?.setupRequired) return <Navigate to="/setup" />;
  const enter = () => window.location.assign(placeAfter(next));
  return (
    <SignedOut title="Sign in">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !session ? (
        <Skeleton />
      ) : isAskedForCode ? (
        <CodeForm onDone={enter} />
      ) : (
        <div className="flex flex-col gap-4">
          {refusal !== undefined && <Notice tone="danger">{ssoFault(refusal)}</Notice>}
          {session.signIn.password && (
            <PasswordForm onDone={enter} onCode={() => setAskedForCode(true)} sendsMail={session.mail} />
          )}
          <SsoButtons session={session} callbackURL={placeAfter(next)} />
        </div>
      )}
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
    submit: (values) => send<{ twoFactorRedirect?: boolean }>('POST', '/v1/auth/sign-in/email', values),
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
export function CodeForm({ onDone }: { onDone: () => void }) {
  const [isRecovery, setRecovery] = useState(false);
  const form = useApiForm({
    values: { code: '' },
    submit: ({ code }) =>
      send('POST', `/v1/auth/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { code: code.trim() }),
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
