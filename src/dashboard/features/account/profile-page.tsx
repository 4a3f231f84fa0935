import { useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { sessionQuery } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';
import { AccountPage } from './account-page.tsx';

/** Who the user is to others. */
export function ProfilePage() {
  const { user } = useSession();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { name: user.name },
    submit: (values) => send('POST', '/v1/auth/update-user', values),
    onDone: async (_, values) => {
      await queries.invalidateQueries(sessionQuery);
      form.reset(values);
      notify('The profile is saved');
    },
  });
  return (
    <AccountPage title="Profile">
      <Card isPadded>
        <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
          {form.failure !== undefined && <Notice tone="danger">{form.failure}</Notice>}
          <TextField label="Name" autoComplete="name" required {...form.register('name')} error={form.faultOf('name')} />
          <TextField
            label="Email"
            value={user.email}
            readOnly
            disabled
            hint="It names your account and cannot be changed here."
          />
          <div className="flex justify-end">
            <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!form.formState.isDirty}>
              Save changes
            </Button>
          </div>
        </form>
      </Card>
    </AccountPage>
  );
}
