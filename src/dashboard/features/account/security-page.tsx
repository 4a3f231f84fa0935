import { send } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';
import { AccountPage } from './account-page.tsx';
import { TwoFactorCard } from './two-factor-card.tsx';

/** How the user gets in: password and second factor. */
export function SecurityPage() {
  return (
    <AccountPage title="Security">
      <PasswordCard />
      <TwoFactorCard />
    </AccountPage>
  );
}

function PasswordCard() {
  const form = useApiForm({
    values: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    submit: (values) => send('POST', '/v1/auth/change-password', values),
    onDone: () => {
      form.reset();
      notify('The password is changed');
    },
  });
  return (
    <Card title="Password" isPadded>
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...form.register('currentPassword')}
          error={form.faultOf('currentPassword')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
          minLength={12}
          required
          {...form.register('newPassword')}
          error={form.faultOf('newPassword')}
        />
        <CheckField label="Sign out everywhere else" {...form.register('revokeOtherSessions')} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isBusy={form.isBusy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
