import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { encode } from 'uqr';
import { api } from '../../api/client.ts';
import { refresh, useSession } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyField } from '../../ui/copy.tsx';
import { CheckField, NewPasswordField, PasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, Notice } from '../../ui/page.tsx';
import { Status } from '../../ui/values.tsx';
import { openProvider, type Provider, ssoFault } from '../sign-in/single-sign-on.tsx';
import { AccountPage } from './account-page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';

/** The user's sign-in methods: password and second factor. */
export function SecurityPage() {
  const { user, signIn } = useSession();
  return (
    <AccountPage title="Security">
      {signIn.sso.map((provider) => (
        <SsoCard
          key={provider.id}
          {...provider}
          isConnected={user.hasSso}
          isLast={!user.hasPassword}
        />
      ))}
      {user.hasPassword && <PasswordCard />}
      {user.hasPassword && <TwoFactorCard />}
      {signIn.password && <PasskeysCard />}
    </AccountPage>
  );
}

function SsoCard(provider: { id: string; name: string; isConnected: boolean; isLast: boolean }) {
  const { id, name, isConnected, isLast } = provider;
  const { error } = useSearch({ strict: false });
  const connect = useAction({
    run: () => openProvider('link-social', id, '/dashboard/account/security'),
    failed: 'Single sign-on could not be connected',
  });
  const disconnect = useAction({
    run: () => api.post('/v1/auth/unlink-social', { body: { provider: id as Provider } }),
    done: `${name} is disconnected`,
    failed: 'Single sign-on could not be disconnected',
  });
  const [action, word] = isConnected
    ? ([disconnect, 'Disconnect'] as const)
    : ([connect, 'Connect'] as const);
  return (
    <Card
      title="Single sign-on"
      about={`Sign in with ${name}, which must use the same email address.`}
      action={
        !(isConnected && isLast) && (
          <Button isBusy={action.isPending} onClick={() => action.mutate()}>
            {word}
          </Button>
        )
      }
      isPadded
    >
      <Status state={isConnected ? ['Connected', 'success'] : ['Not connected', 'neutral']} />
      {error !== undefined && !isConnected && <Notice tone="danger">{ssoFault(error)}</Notice>}
    </Card>
  );
}

function PasswordCard() {
  const form = useApiForm({
    values: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    submit: (body) => api.post('/v1/auth/change-password', { body }),
    onDone: () => {
      form.reset();
      notify('Password changed');
    },
  });
  return (
    <Card title="Password" isPadded>
      <Form form={form} action="Change password">
        <PasswordField label="Current password" {...form.field('currentPassword')} />
        <NewPasswordField label="New password" {...form.field('newPassword')} />
        <CheckField label="Sign out everywhere else" {...form.field('revokeOtherSessions')} />
      </Form>
    </Card>
  );
}

const enable = (body: { password: string }) => api.post('/v1/auth/two-factor/enable', { body });
const disable = (body: { password: string }) => api.post('/v1/auth/two-factor/disable', { body });
type Secrets = Awaited<ReturnType<typeof enable>>;

/** Turns two-factor authentication on and off: an authenticator app, with recovery codes. */
function TwoFactorCard() {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [secrets, setSecrets] = useState<Secrets>();
  const isOn = user.twoFactorEnabled;
  const close = () => {
    setOpen(false);
    setSecrets(undefined);
  };
  const changed = async (state: 'on' | 'off') => {
    await refresh();
    notify(`Two-factor authentication is ${state}`);
    close();
  };
  return (
    <Card
      title="Two-factor authentication"
      about="A code from an authenticator app, in addition to the password."
      action={<Button onClick={() => setOpen(true)}>{isOn ? 'Switch off' : 'Set up'}</Button>}
      isPadded
    >
      <Status state={isOn ? ['On', 'success'] : ['Off', 'neutral']} />
      <Dialog
        title={isOn ? 'Turn off two-factor authentication' : 'Set up two-factor authentication'}
        isOpen={isOpen}
        onClose={close}
      >
        {isOn ? (
          <PasswordForm submit={disable} action="Switch off" onDone={() => changed('off')} />
        ) : secrets ? (
          <Confirm secrets={secrets} onDone={() => changed('on')} />
        ) : (
          <PasswordForm submit={enable} action="Continue" onDone={setSecrets} />
        )}
      </Dialog>
    </Card>
  );
}

interface PasswordFormProps<Result> {
  submit: (values: { password: string }) => Promise<Result>;
  action: string;
  onDone: (result: Result) => void;
}

function PasswordForm<Result>({ action, ...props }: PasswordFormProps<Result>) {
  const form = useApiForm({ values: { password: '' }, ...props });
  return (
    <Form form={form} action={action}>
      <PasswordField {...form.field('password')} />
    </Form>
  );
}

function Confirm({ secrets, onDone }: { secrets: Secrets; onDone: () => void }) {
  const form = useApiForm({
    values: { code: '' },
    submit: ({ code }) =>
      api.post('/v1/auth/two-factor/verify-totp', { body: { code: code.trim() } }),
    onDone,
    onlyField: 'code',
  });
  const key = new URL(secrets.totpURI).searchParams.get('secret') ?? '';
  return (
    <Form form={form} action="Switch on">
      <p className="text-muted">
        Scan this code with your authenticator app, enter the key, or{' '}
        <a href={secrets.totpURI} className="text-accent-text underline">
          open it in the app
        </a>
        .
      </p>
      <QrCode text={secrets.totpURI} label="QR code with the key" />
      <CopyField value={key} label="Key" isSelected />
      <div>
        <p className="mb-1.5 text-s font-medium">Recovery codes</p>
        <p className="mb-2 text-s text-muted">
          Each works once, without the app. They are shown only once; store them with your
          passwords.
        </p>
        <CodeBlock code={secrets.backupCodes.join('\n')} label="Copy recovery codes" />
      </div>
      <TextField
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        {...form.field('code')}
      />
    </Form>
  );
}

/** A QR code: dark on light in either color scheme, as scanners expect it (ISO/IEC 18004). */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 self-center rounded-md bg-white text-black"
    >
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
