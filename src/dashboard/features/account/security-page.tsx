import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { openProvider, sessionQuery } from '../../api/session.ts';
import { ssoFault } from '../../api/sso-fault.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, NewPasswordField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';
import { Status } from '../../ui/values.tsx';
import { AccountPage } from './account-page.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** The user's sign-in methods: password and second factor. */
export function SecurityPage() {
  const { user, signIn } = useSession();
  return (
    <AccountPage title="Security">
      {signIn.sso.map((provider) => (
        <SsoCard key={provider.id} {...provider} isConnected={user.hasSso} isLast={!user.hasPassword} />
      ))}
      {user.hasPassword && <PasswordCard />}
      {user.hasPassword && <TwoFactorCard />}
    </AccountPage>
  );
}

function SsoCard(provider: { id: string; name: string; isConnected: boolean; isLast: boolean }) {
  const { id, name, isConnected, isLast } = provider;
  const queries = useQueryClient();
  const { error } = useSearch({ strict: false });
  const connect = useMutation({
    mutationFn: () => openProvider('link-social', id, '/dashboard/account/security'),
    onError: (fault) => notifyFailure('Single sign-on could not be connected', fault),
  });
  const disconnect = useMutation({
    mutationFn: () => send('POST', '/v1/auth/unlink-social', { provider: id }),
    onSuccess: async () => {
      await queries.invalidateQueries(sessionQuery);
      notify(`${name} is disconnected`);
    },
    onError: (fault) => notifyFailure('Single sign-on could not be disconnected', fault),
  });
  return (
    <Card
      title="Single sign-on"
      about={`Sign in with ${name}, which must use the same email address.`}
      action={
        isConnected ? (
          !isLast && (
            <Button isBusy={disconnect.isPending} onClick={() => disconnect.mutate()}>
              Disconnect
            </Button>
          )
        ) : (
          <Button isBusy={connect.isPending} onClick={() => connect.mutate()}>
            Connect
          </Button>
        )
      }
      isPadded
    >
      <Status tone={isConnected ? 'success' : 'neutral'}>{isConnected ? 'Connected' : 'Not connected'}</Status>
      {error !== undefined && !isConnected && <Notice tone="danger">{ssoFault(error)}</Notice>}
    </Card>
  );
}

function PasswordCard() {
  const form = useApiForm({
    values: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    submit: (values) => send('POST', '/v1/auth/change-password', values),
    onDone: () => {
      form.reset();
      notify('Password changed');
    },
  });
  return (
    <Card title="Password" isPadded>
      <Form form={form} action="Change password">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...form.field('currentPassword')}
        />
        <NewPasswordField label="New password" {...form.field('newPassword')} />
        <CheckField label="Sign out everywhere else" {...form.field('revokeOtherSessions')} />
      </Form>
    </Card>
  );
}
