import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.ts';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../ui/page.tsx';
import { SignedOut } from './signed-out.tsx';

/** Where people sign in: by password, by single sign-on, with the second factor where they have one. */
export function SignInPage() {
  const { next } = useSearch({ strict: false });
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
          {session.signIn.password && <PasswordForm onDone={enter} onCode={() => setAskedForCode(true)} />}
          {session.signIn.sso.map(({ id, name }) => (
            <Button key={id} icon="shield-check" onClick={() => startSingleSignOn(id, placeAfter(next))}>
              Continue with {name}
            </Button>
          ))}
        </div>
      )}
    </SignedOut>
  );
}

/** Only addresses of the dashboard are led to: the search of an address is anybody's. */
function placeAfter(next: string | undefined): string {
  return next?.startsWith('/dashboard') && /^\/dashboard(?:[/?]|$)/.test(next) ? next : '/dashboard';
}

async function startSingleSignOn(providerId: string, callbackURL: string): Promise<void> {
  const { url } = await send<{ url: string }>('POST', '/v1/auth/sign-in/oauth2', { providerId, callbackURL });
  window.location.assign(url);
}

function PasswordForm({ onDone, onCode }: { onDone: () => void; onCode: () => void }) {
  const form = useApiForm({
    values: { email: '', password: '' },
    submit: (values) => send<{ twoFactorRedirect?: boolean }>('POST', '/v1/auth/sign-in/email', values),
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? onCode() : onDone()),
  });
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        {...form.register('email')}
        error={form.faultOf('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        {...form.register('password')}
        error={form.faultOf('password')}
      />
      <Button type="submit" variant="primary" isBusy={form.isBusy}>
        Sign in
      </Button>
      <p className="text-s text-muted">
        Forgot your password? No mail is sent. Ask whoever operates this server for a link: they run{' '}
        <code className="font-mono text-xs">docent users reset</code> with your email address.
      </p>
    </form>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const [isRecovery, setRecovery] = useState(false);
  const form = useApiForm({
    values: { code: '' },
    submit: ({ code }) =>
      send('POST', `/v1/auth/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, { code: code.trim() }),
    onDone,
  });
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
      <TextField
        label={isRecovery ? 'Recovery code' : 'Code'}
        hint={isRecovery ? 'Each recovery code works once.' : 'The six digits that your authenticator app shows.'}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        required
        {...form.register('code')}
      />
      <Button type="submit" variant="primary" isBusy={form.isBusy}>
        Continue
      </Button>
      <Button variant="ghost" onClick={() => setRecovery(!isRecovery)}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
    </form>
  );
}
