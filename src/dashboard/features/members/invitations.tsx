import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { Table } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/values.tsx';
import { type Invitation, listQuery, ROLE_WORDS } from './members-query.ts';

/** The open invitations. */
export function Invitations({ org }: { org: string }) {
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
