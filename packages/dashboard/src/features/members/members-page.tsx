import { hasRole, type Role } from '@docent/format/access/may.ts';
import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { membersQuery, refresh, useOrganization, useSession } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { ShownOnce } from '../../ui/copy.tsx';
import { Select, SelectField, TextField } from '../../ui/field.tsx';
import { useSetSearch } from '../../ui/filters.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Page, Section } from '../../ui/page.tsx';
import { List, Table, timeColumn } from '../../ui/table.tsx';
import { Badge } from '../../ui/values.tsx';

import { EndAccessDialog, type Ending } from './end-access.tsx';
import { ROLE_WORDS, rolesBelow } from './roles.ts';

type Member = Schema<'Member'>;

/** The members of the organization, and its open invitations. */
export function MembersPage() {
  const { slug: org, role: ownRole, may } = useOrganization();
  const { user } = useSession();
  const query = useQuery(membersQuery(org));
  const { create: isInviting = false } = useSearch({ strict: false });
  const setSearch = useSetSearch();
  const open = () => setSearch({ create: true });
  const [sent, setSent] = useState<string>();
  const closeInvitation = () => {
    setSent(undefined);
    setSearch({ create: undefined });
  };
  useCommand(may('admin') ? { title: 'Invite a member', icon: 'plus', run: open } : undefined);
  const change = useAction({
    run: ({ userId, role }: Pick<Member, 'userId' | 'role'>) =>
      api.patch('/v1/organization/members/{userId}', { path: { userId }, body: { role } }),
    done: 'Role changed',
    failed: 'The role could not be changed',
  });
  const [ending, setEnding] = useState<Ending>();
  const setRole = (member: Member, role: Role) => {
    if (hasRole(role, member.role)) change.mutate({ userId: member.userId, role });
    else setEnding({ member, role });
  };
  const mayChange = (member: Member) =>
    may('admin') && hasRole(ownRole, member.role) && member.userId !== user.id;
  return (
    <Page
      title="Members"
      about="People who work on the sites of this organization"
      action={
        may('admin') && (
          <Button variant="primary" icon="plus" onClick={open}>
            Invite
          </Button>
        )
      }
    >
      <List
        label="Members"
        query={query}
        placeholderRows={3}
        keyOf={({ userId }) => userId}
        columns={[
          {
            title: 'Person',
            cell: (member) => (
              <span className="flex flex-col">
                <span className="font-medium">
                  {member.name} {member.userId === user.id && <Badge>you</Badge>}
                </span>
                <span className="break-all text-muted">{member.email}</span>
              </span>
            ),
          },
          {
            title: 'Role',
            cell: (member) =>
              mayChange(member) ? (
                <Select
                  aria-label={`Role of ${member.name}`}
                  className="w-24 sm:w-32"
                  value={member.role}
                  onChange={({ target }) => setRole(member, target.value as Role)}
                  options={rolesBelow(ownRole)}
                />
              ) : (
                ROLE_WORDS[member.role]
              ),
          },
          {
            title: 'Two-factor',
            isMinor: true,
            cell: ({ twoFactorEnabled }) =>
              twoFactorEnabled ? 'On' : <span className="text-muted">Off</span>,
          },
          timeColumn('Joined', 'createdAt', true),
          {
            title: '(Actions)',
            cell: (member) =>
              mayChange(member) && (
                <span className="flex justify-end gap-1">
                  {may('owner') && (
                    <IconButton
                      label={`Sign ${member.name} out`}
                      icon="log-out"
                      onClick={() => signOut(member)}
                    />
                  )}
                  <IconButton
                    label={`Remove ${member.name}`}
                    icon="trash"
                    onClick={() => setEnding({ member, role: null })}
                  />
                </span>
              ),
          },
        ]}
      />
      {may('admin') && <Invitations org={org} own={ownRole} onResent={setSent} />}
      <EndAccessDialog ending={ending} onClose={() => setEnding(undefined)} />
      <InviteDialog
        own={ownRole}
        url={sent}
        onInvited={setSent}
        isOpen={isInviting || sent !== undefined}
        onClose={closeInvitation}
      />
    </Page>
  );
}

/** Asks whether all sessions of a member shall end, and ends them. */
function signOut({ userId, name }: Member): void {
  confirmAction({
    title: `Sign ${name} out`,
    text: `All sessions of ${name} end immediately, on every device and in other organizations too. Nothing else changes: they can sign in again, and their keys keep working.`,
    action: 'Sign out',
    run: () => api.delete('/v1/organization/members/{userId}/sessions', { path: { userId } }),
    done: `${name} is signed out`,
    failed: 'The sessions could not be ended',
  });
}

/** The open invitations. */
function Invitations({
  org,
  own,
  onResent,
}: {
  org: string;
  own: Role;
  onResent: (url: string) => void;
}) {
  const { data = [] } = useQuery({
    queryKey: [org, 'invitations'],
    queryFn: async () =>
      (await api.get('/v1/organization/invitations', { query: { limit: 1000 } })).items,
  });
  const revoke = useAction({
    run: (invitationId: string) =>
      api.delete('/v1/organization/invitations/{invitationId}', { path: { invitationId } }),
    done: 'Invitation revoked',
    failed: 'The invitation could not be revoked',
  });
  const resend = useAction({
    run: (body: { email: string; role: Role }) =>
      api.post('/v1/organization/invitations', { body }),
    done: ({ url }) => onResent(url),
    failed: 'The invitation could not be sent again',
  });
  if (data.length === 0) return null;
  return (
    <Section title="Open invitations" className="mt-8">
      <Table
        label="Open invitations"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Email', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
          {
            title: 'Invited by',
            isMinor: true,
            cell: ({ createdBy }) =>
              createdBy ? actorName(createdBy) : <span className="text-muted">unknown</span>,
          },
          timeColumn('Expires', 'expiresAt', true),
          {
            title: '(Actions)',
            cell: ({ id, email, role }) => (
              <span className="flex justify-end gap-1">
                {hasRole(own, role) && (
                  <Button
                    size="sm"
                    onClick={() => resend.mutate({ email, role })}
                    aria-label={`Send ${email} a new link`}
                  >
                    Resend
                  </Button>
                )}
                <Button
                  size="sm"
                  onClick={() => revoke.mutate(id)}
                  aria-label={`Revoke the invitation of ${email}`}
                >
                  Revoke
                </Button>
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}

const MAY: Record<Role, string> = {
  viewer: 'Reads everything, changes nothing.',
  editor: 'Publishes, rolls back, exports, creates assistant keys, changes the assistant.',
  admin: 'Also manages members, hostnames, admin keys and sites.',
  owner: 'Everything, including deleting the organization.',
};

interface InviteProps {
  own: Role;
  /** The link of an invitation that was just created. */
  url: string | undefined;
  onInvited: (url: string) => void;
  isOpen: boolean;
  onClose: () => void;
}

/** Invites a person: creates a link to send to them. */
function InviteDialog({ own, url, onInvited, isOpen, onClose }: InviteProps) {
  const { mail } = useSession();
  return (
    <Dialog
      title={url === undefined ? 'Invite' : mail ? 'Invitation sent' : 'Send this link'}
      isOpen={isOpen}
      onClose={onClose}
    >
      {url === undefined ? (
        <InviteForm own={own} onInvited={onInvited} />
      ) : (
        <ShownOnce
          about={`${
            mail ? 'It contains this link, which you can also send yourself. ' : ''
          }It works once, for this person, for seven days. It is shown only now.`}
          label="Invitation link"
          value={url}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function InviteForm({ own, onInvited }: { own: Role; onInvited: (url: string) => void }) {
  const { mail } = useSession();
  const form = useApiForm({
    values: { email: '', role: 'viewer' as Role },
    submit: (body) => api.post('/v1/organization/invitations', { body }),
    onDone: ({ url }) => {
      onInvited(url);
      return refresh();
    },
  });
  return (
    <Form form={form} action={mail ? 'Send invitation' : 'Create link'}>
      <TextField label="Email" type="email" required {...form.field('email')} />
      <SelectField
        label="Role"
        hint={MAY[form.watch('role')]}
        options={rolesBelow(own)}
        {...form.field('role')}
      />
    </Form>
  );
}
