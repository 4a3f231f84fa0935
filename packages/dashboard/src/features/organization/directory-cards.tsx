import { useId, useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { CONTROL, Select, SelectField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, SecretDialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';
import { Facts, RelativeTime, Status } from '../../ui/values.tsx';
import { rolesBelow } from '../members/roles.ts';

type Directory = Schema<'Directory'>;
type GroupRole = Schema<'GroupRole'>;

const TOKEN = '/v1/organization/directory/token';

/** The directory that sends people: its address, and its token. */
export function DirectoryCard({ directory: { url, token } }: { directory: Directory }) {
  const { may } = useOrganization();
  const [secret, setSecret] = useState<string>();
  const creation = {
    run: () => api.post(TOKEN),
    done: (created: { token: string }) => setSecret(created.token),
    failed: 'The token could not be created',
  };
  const create = useAction(creation);
  const replace = () =>
    confirmAction({
      title: 'Replace the token',
      text: 'The directory is refused from now on, until you enter the new token there.',
      action: 'Replace token',
      ...creation,
      done: (created) => creation.done(created as { token: string }),
    });
  const remove = () =>
    confirmAction({
      title: 'Delete the token',
      text: 'The directory is refused from now on. Members stay, and so do the invitations of people who have not joined.',
      action: 'Delete token',
      run: () => api.delete(TOKEN),
      done: 'The token is deleted',
      failed: 'The token could not be deleted',
    });
  return (
    <Card
      title="Directory (SCIM)"
      about="Microsoft Entra ID, Okta or another directory adds and removes people"
      action={
        may('owner') && (
          <span className="flex flex-wrap justify-end gap-1">
            <Button
              size="sm"
              isBusy={create.isPending}
              onClick={() => (token ? replace() : create.mutate())}
            >
              {token ? 'Replace token' : 'Create token'}
            </Button>
            {token && (
              <Button size="sm" onClick={remove}>
                Delete token
              </Button>
            )}
          </span>
        )
      }
      isPadded
    >
      <Facts
        facts={{
          State: <Status state={token ? ['On', 'success'] : ['Off', 'neutral']} />,
          Address: <CopyField label="Address" value={url} />,
          ...(token && {
            'Token created': <RelativeTime at={token.createdAt} />,
            'Last used': <RelativeTime at={token.usedAt} />,
          }),
        }}
      />
      <SecretDialog
        title="Copy the token now"
        about="It is shown only once. Enter it in the directory: the secret token in Microsoft Entra ID, the HTTP header in Okta."
        label="Token"
        value={secret}
        onClose={() => setSecret(undefined)}
      />
    </Card>
  );
}

const ROLES = rolesBelow('admin');

/** The roles that groups give, of the directory and of the provider. */
export function GroupRolesCard({ directory }: { directory: Directory }) {
  const { may } = useOrganization();
  const names = useId();
  const valuesOf = ({ defaultRole, groupRoles }: Directory) => ({ defaultRole, groupRoles });
  const form = useApiForm({
    values: valuesOf(directory),
    submit: ({ defaultRole, groupRoles }) =>
      api.patch('/v1/organization/directory', {
        body: { defaultRole, groupRoles: groupRoles.filter(({ group }) => group.trim() !== '') },
      }),
    fieldOf: (pointer) => pointer.split('/')[1] ?? '',
    onDone: (next) => {
      form.reset(valuesOf(next));
      notify('Roles saved');
      return refresh();
    },
  });
  const groupRoles = form.watch('groupRoles');
  const setRoles = (next: GroupRole[]) => form.setValue('groupRoles', next, { shouldDirty: true });
  const change = (at: number, part: Partial<GroupRole>) =>
    setRoles(groupRoles.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  const fault = form.formState.errors.groupRoles?.message;
  return (
    <Card title="Roles" about="Of people whom the directory or the provider sends" isPadded>
      <Form form={form} action="Save roles" lacks={may('owner') ? undefined : 'Owners'} isSettings>
        <SelectField
          label="Default role"
          hint="Of people in no group with a role."
          options={ROLES}
          {...form.field('defaultRole')}
        />
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1.5 text-s font-medium">Roles of groups</legend>
          <datalist id={names}>
            {directory.groups.map((group) => (
              <option key={group} value={group} />
            ))}
          </datalist>
          {groupRoles.map(({ group, role }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled
            <div key={at} className="flex items-start gap-2">
              <input
                aria-label={`Group ${at + 1}`}
                list={names}
                value={group}
                maxLength={300}
                autoComplete="off"
                onChange={({ target }) => change(at, { group: target.value })}
                className={`${CONTROL} h-9 min-w-0 flex-1`}
              />
              <Select
                aria-label={`Role of group ${at + 1}`}
                options={ROLES}
                value={role}
                onChange={({ target }) => change(at, { role: target.value as GroupRole['role'] })}
                className="w-32 shrink-0"
              />
              <IconButton
                label={`Remove group ${at + 1}`}
                icon="trash"
                onClick={() => setRoles(groupRoles.filter((_, index) => index !== at))}
              />
            </div>
          ))}
          <p className={fault === undefined ? 'text-s text-muted' : 'text-s text-danger'}>
            {fault ??
              'While a group has a role, groups decide the roles of members, and the highest counts. Owners stay owners. Members keep their role until the directory sends them, or one of their groups, again.'}
          </p>
          <Button
            size="sm"
            className="self-start"
            onClick={() => setRoles([...groupRoles, { group: '', role: 'editor' }])}
          >
            Add a group
          </Button>
        </fieldset>
      </Form>
    </Card>
  );
}
