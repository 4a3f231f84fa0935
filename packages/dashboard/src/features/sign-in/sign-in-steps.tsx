import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, messageOf } from '../../api/client.ts';
import type { Session } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField, PasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Notice } from '../../ui/page.tsx';
import { hasPasskeys, signInWithPasskey } from './passkeys.ts';
import { SsoButtons, ssoFault } from './single-sign-on.tsx';

interface SignInProps {
  session: Session;
  /** Code of the error with which the identity provider sent the browser back. */
  refusal?: string | undefined;
  /** Who is expected to sign in. */
  email?: string;
  /** The link to a new password. */
  forgotten: ReactNode;
  onDone: () => void;
  onProvider: (provider: string) => Promise<void>;
  /** Another way to sign in, below the others. */
  other?: ReactNode;
}

/** The steps of a sign-in: a password or an identity provider, and the second factor if enabled. */
export function SignInSteps({
  session,
  refusal,
  email = '',
  forgotten,
  onDone,
  onProvider,
  other,
}: SignInProps) {
  const [isAskedForCode, setAskedForCode] = useState(false);
  if (isAskedForCode) return <CodeForm onDone={onDone} />;
  return (
    <div className="flex flex-col gap-4">
      {refusal !== undefined && <Notice tone="danger">{ssoFault(refusal)}</Notice>}
      {session.signIn.password && (
        <PasswordForm
          email={email}
          forgotten={forgotten}
          onDone={onDone}
          onCode={() => setAskedForCode(true)}
          sendsMail={session.mail}
        />
      )}
      {session.signIn.password && hasPasskeys() && <PasskeyButton onDone={onDone} />}
      <SsoButtons session={session} onProvider={onProvider} />
      {other}
    </div>
  );
}

function PasskeyButton({ onDone }: { onDone: () => void }) {
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: onDone });
  return (
    <>
      {signIn.error && <Notice tone="danger">{messageOf(signIn.error)}</Notice>}
      <Button icon="key-round" isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

interface PasswordFormProps extends Pick<SignInProps, 'onDone' | 'forgotten'> {
  email: string;
  onCode: () => void;
  sendsMail: boolean;
}

function PasswordForm({ email, forgotten, onDone, onCode, sendsMail }: PasswordFormProps) {
  const form = useApiForm({
    values: { email, password: '' },
    submit: (body) => api.post('/v1/auth/sign-in/email', { body }),
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? onCode() : onDone()),
  });
  return (
    <>
      <Form form={form} action="Sign in" isWide>
        <EmailField {...form.field('email')} />
        <PasswordField {...form.field('password')} />
      </Form>
      <p className="text-s text-muted">
        {sendsMail ? (
          forgotten
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
      api.post(`/v1/auth/two-factor/${isRecovery ? 'verify-backup-code' : 'verify-totp'}`, {
        body: { code: code.trim() },
      }),
    onDone,
    onlyField: 'code',
  });
  return (
    <div className="flex flex-col gap-4">
      <Form form={form} action="Continue" isWide>
        <TextField
          label={isRecovery ? 'Recovery code' : 'Code'}
          hint={
            isRecovery
              ? 'Each recovery code works once.'
              : 'The six digits from your authenticator app.'
          }
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
