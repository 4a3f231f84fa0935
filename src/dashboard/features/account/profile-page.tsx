import { useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { sessionQuery } from '../../api/session.ts';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';
import { AccountPage } from './account-page.tsx';

/** The user's public profile. */
export function ProfilePage() {
  const { user } = useSession();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { name: user.name },
    submit: (values) => send('POST', '/v1/auth/update-user', values),
    onDone: async (_, values) => {
      await queries.invalidateQueries(sessionQuery);
      form.reset(values);
      notify('Profile saved');
    },
  });
  return (
    <AccountPage title="Profile">
      <Card isPadded>
        <Form form={form} action="Save changes" isSettings>
          <TextField label="Name" autoComplete="name" required {...form.field('name')} />
          <TextField
            label="Email"
            value={user.email}
            readOnly
            disabled
            hint="It identifies your account and cannot be changed here."
          />
        </Form>
      </Card>
    </AccountPage>
  );
}
