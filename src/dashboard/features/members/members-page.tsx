import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasRole, ROLES, type Role } from '../../../core/access/may.ts';
import { send } from '../../api/client.ts';
import { useOrganisation, useSession } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { Select } from '../../ui/field.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { ErrorState, Page } from '../../ui/page.tsx';
import { Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime } from '../../ui/values.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Invitation, listQuery, type Member, ROLE_WORDS } from './members-query.ts';

/** The members of the organization, and its open invitations. */
export function MembersPage() {
  const { slug: org, role: own, may } = useOrganisation();
  const { user } = useSession();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(listQuery<Member>(org, 'members'));
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Member>();
  const open = () => setInviting(true);
  useCommand(may('admin') ? { title: 'Invite a member', icon: 'plus', run: open } : undefined);
  const refresh = () => queries.invalidateQueries(listQuery(org, 'members'));
  const change = useMutation({
    mutationFn: ({ userId, role }: Pick<Member, 'userId' | 'role'>) =>
      send('PATCH', `/v1/organisation/members/${userId}`, { role }),
    onSuccess: () => notify('Role changed'),
    onError: (fault) => notifyFailure('The role could not be changed', fault),
    onSettled: refresh,
  });
  const isLeaving = removed?.userId === user.id;
  const remove = async () => {
    await send('DELETE', `/v1/organisation/members/${removed?.userId}`);
    if (isLeaving) window.location.assign('/dashboard');
  };
  const mayChange = (member: Member) => may('admin') && hasRole(own, member.role) && member.userId !== user.id;
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
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton rows={3} />
      ) : (
        <Table
          label="Members"
          rows={data}
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
                    onChange={({ target }) => change.mutate({ userId: member.userId, role: target.value as Role })}
                  >
                    {ROLES.filter((role) => hasRole(own, role)).map((role) => (
                      <option key={role} value={role}>
                        {ROLE_WORDS[role]}
                      </option>
                    ))}
                  </Select>
                ) : (
                  ROLE_WORDS[member.role]
                ),
            },
            {
              title: 'Two-factor',
              isMinor: true,
              cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? 'On' : <span className="text-muted">Off</span>),
            },
            { title: 'Joined', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            {
              title: '(Actions)',
              isNarrow: true,
              cell: (member) =>
                mayChange(member) && (
                  <IconButton label={`Remove ${member.name}`} icon="trash" onClick={() => setRemoved(member)} />
                ),
            },
          ]}
        />
      )}
      {may('admin') && <Invitations org={org} />}
      <InviteDialog org={org} own={own} isOpen={isInviting} onClose={() => setInviting(false)} />
      <ConfirmDialog
        title={`Remove ${removed?.name ?? ''}`}
        action="Remove member"
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        run={remove}
        done={isLeaving ? undefined : 'Member removed'}
        failed="The member could not be removed"
        refresh={refresh}
      >
        They lose access immediately. Their account and the keys that they created stay.
      </ConfirmDialog>
    </Page>
  );
}

/** The open invitations. */
function Invitations({ org }: { org: string }) {
  const queries = useQueryClient();
  const { data = [] } = useQuery(listQuery<Invitation>(org, 'invitations'));
  const revoke = useMutation({
    mutationFn: (id: string) => send('DELETE', `/v1/organisation/invitations/${id}`),
    onSuccess: () => notify('Invitation revoked'),
    onError: (fault) => notifyFailure('The invitation could not be revoked', fault),
    onSettled: () => queries.invalidateQueries(listQuery(org, 'invitations')),
  });
  if (data.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-sm font-semibold">Open invitations</h2>
      <Table
        label="Open invitations"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Email', cell: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
          { title: 'Expires', isMinor: true, isNarrow: true, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
          {
            title: '(Actions)',
            isNarrow: true,
            cell: ({ id }) => (
              <Button size="sm" onClick={() => revoke.mutate(id)}>
                Revoke
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}
