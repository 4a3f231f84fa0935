import { useParams } from '@tanstack/react-router';
import { send } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.ts';
import { Notice } from '../../ui/notice.tsx';
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
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
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
        <Button type="submit" variant="primary" isBusy={form.isBusy}>
          Set password
        </Button>
      </form>
    </SignedOut>
  );
}
