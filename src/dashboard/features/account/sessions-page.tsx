import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { ErrorState } from '../../ui/page.tsx';
import { Table, TableSkeleton } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/values.tsx';
import { AccountPage } from './account-page.tsx';

interface AccountSession {
  id: string;
  token: string;
  createdAt: string;
  updatedAt: string;
  ipAddress?: string | null;
  userAgent?: string | null;
}

const QUERY = { queryKey: ['account-sessions'], queryFn: () => send<AccountSession[]>('GET', '/v1/auth/list-sessions') };

/** The user's active sessions. */
export function SessionsPage() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(QUERY);
  const revoke = useMutation({
    mutationFn: (token: string | undefined) =>
      token === undefined
        ? send('POST', '/v1/auth/revoke-other-sessions', {})
        : send('POST', '/v1/auth/revoke-session', { token }),
    onSuccess: () => notify('Session ended'),
    onError: (fault) => notifyFailure('Session not ended', fault),
    onSettled: () => queries.invalidateQueries(QUERY),
  });
  return (
    <AccountPage title="Sessions">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton rows={3} />
      ) : (
        <>
          <Table
            label="Sessions"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Browser',
                cell: ({ userAgent, ipAddress }) => (
                  <span className="flex flex-col">
                    <span className="font-medium">{browserOf(userAgent ?? '')}</span>
                    <span className="text-muted">{ipAddress ?? 'unknown address'}</span>
                  </span>
                ),
              },
              { title: 'Signed in', isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
              {
                title: '(Actions)',
                isNarrow: true,
                cell: ({ token }) => (
                  <Button size="sm" onClick={() => revoke.mutate(token)}>
                    Sign out
                  </Button>
                ),
              },
            ]}
          />
          <div>
            <Button icon="log-out" isBusy={revoke.isPending} onClick={() => revoke.mutate(undefined)}>
              Sign out everywhere else
            </Button>
          </div>
        </>
      )}
    </AccountPage>
  );
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'Mac OS', 'Linux'];

/** Returns `Firefox on Linux`, as far as the browser reveals it. */
function browserOf(userAgent: string): string {
  const name = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find((one) => userAgent.includes(one));
  return [name ?? 'A program', system].filter(Boolean).join(' on ');
}
