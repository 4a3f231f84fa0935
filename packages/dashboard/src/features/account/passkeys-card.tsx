import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';
import { List, timeColumn } from '../../ui/table.tsx';
import { addPasskey, hasPasskeys } from '../sign-in/passkeys.ts';

type Passkey = Schema<'Passkey'>;

const nameOf = ({ name }: Passkey) => name ?? 'Passkey';

/** The user's passkeys: add, rename and delete them. */
export function PasskeysCard() {
  const query = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => api.get('/v1/auth/passkey/list-user-passkeys'),
  });
  const [edited, setEdited] = useState<Passkey | 'new'>();
  const remove = useAction({
    run: (id: string) => api.post('/v1/auth/passkey/delete-passkey', { body: { id } }),
    done: 'Passkey deleted',
    failed: 'The passkey was not deleted',
  });
  const close = () => setEdited(undefined);
  return (
    <Card
      title="Passkeys"
      about="Sign in with your device, which asks for your PIN, finger or face: no password, no code."
      action={hasPasskeys() && <Button onClick={() => setEdited('new')}>Add a passkey</Button>}
    >
      <List
        label="Passkeys"
        query={query}
        placeholderRows={1}
        keyOf={({ id }) => id}
        empty={<p className="p-4 text-muted">You have none yet.</p>}
        columns={[
          {
            title: 'Name',
            cell: (passkey) => <span className="font-medium">{nameOf(passkey)}</span>,
          },
          timeColumn('Added', 'createdAt'),
          {
            title: '(Actions)',
            cell: (passkey) => (
              <span className="flex justify-end gap-2">
                <Button
                  size="sm"
                  onClick={() => setEdited(passkey)}
                  aria-label={`Rename ${nameOf(passkey)}`}
                >
                  Rename
                </Button>
                <Button
                  size="sm"
                  onClick={() => remove.mutate(passkey.id)}
                  aria-label={`Delete ${nameOf(passkey)}`}
                >
                  Delete
                </Button>
              </span>
            ),
          },
        ]}
      />
      <Dialog
        title={edited === 'new' ? 'Add a passkey' : 'Rename the passkey'}
        isOpen={edited !== undefined}
        onClose={close}
      >
        {edited !== undefined && (
          <NameForm
            passkey={edited}
            onDone={async () => {
              await query.refetch();
              notify(edited === 'new' ? 'Passkey added' : 'Passkey renamed');
              close();
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

function NameForm({ passkey, onDone }: { passkey: Passkey | 'new'; onDone: () => void }) {
  const isNew = passkey === 'new';
  const form = useApiForm({
    values: { name: isNew ? '' : (passkey.name ?? '') },
    submit: async ({ name }): Promise<unknown> =>
      isNew
        ? addPasskey(name)
        : api.post('/v1/auth/passkey/update-passkey', { body: { id: passkey.id, name } }),
    onDone,
  });
  return (
    <Form form={form} action={isNew ? 'Continue' : 'Rename'}>
      <TextField
        label="Name"
        hint="For example of the device."
        maxLength={100}
        required
        {...form.field('name')}
      />
    </Form>
  );
}
