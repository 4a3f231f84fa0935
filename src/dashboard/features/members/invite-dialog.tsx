import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasRole, ROLES, type Role } from '../../../core/access/may.ts';
import { send } from '../../api/client.ts';
import { useSession } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { type Invitation, listQuery, ROLE_WORDS } from './members-query.ts';

const MAY: Record<Role, string> = {
  viewer: 'Reads everything, changes nothing.',
  editor: 'Publishes, rolls back, exports, creates assistant keys, changes the assistant.',
  admin: 'Also manages members, hostnames, admin keys and sites.',
  owner: 'Everything, including deleting the organization.',
};

interface InviteDialogProps {
  org: string;
  own: Role;
  isOpen: boolean;
  onClose: () => void;
}

/** Invites a person: creates a link to send to them. */
export function InviteDialog({ isOpen, onClose, ...props }: InviteDialogProps) {
  const [url, setUrl] = useState<string>();
  const { mail } = useSession();
  const close = () => {
    setUrl(undefined);
    onClose();
  };
  return (
    <Dialog title={url === undefined ? 'Invite' : mail ? 'Invitation sent' : 'Send this link'} isOpen={isOpen} onClose={close}>
      {url === undefined ? (
        <InviteForm {...props} onInvited={setUrl} />
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-muted">
            {mail && 'It contains this link, which you can also send yourself. '}It works once, for this person, for seven days.
            It is shown only now.
          </p>
          <CopyField value={url} label="Invitation link" isSelected />
          <div className="flex justify-end">
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function InviteForm({ org, own, onInvited }: Pick<InviteDialogProps, 'org' | 'own'> & { onInvited: (url: string) => void }) {
  const { mail } = useSession();
  const queries = useQueryClient();
  const form = useApiForm({
    values: { email: '', role: 'viewer' as Role },
    submit: (values) => send<Invitation & { url: string }>('POST', '/v1/organisation/invitations', values),
    onDone: async ({ url }) => {
      onInvited(url);
      await queries.invalidateQueries(listQuery(org, 'invitations'));
    },
  });
  return (
    <Form form={form} action={mail ? 'Send invitation' : 'Create link'}>
      <TextField label="Email" type="email" autoComplete="off" required {...form.field('email')} />
      <SelectField label="Role" hint={MAY[form.watch('role')]} {...form.field('role')}>
        {ROLES.filter((role) => hasRole(own, role)).map((role) => (
          <option key={role} value={role}>
            {ROLE_WORDS[role]}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}
