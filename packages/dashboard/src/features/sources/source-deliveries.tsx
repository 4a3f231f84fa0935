import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { Loaded } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime, type State, Status } from '../../ui/values.tsx';

const POLL_MS = 5000;
const STATES: Record<Schema<'SourceDelivery'>['outcome'], State> = {
  accepted: ['Accepted', 'active'],
  deployed: ['Deployed', 'success'],
  ignored: ['Nothing to do', 'neutral'],
  failed: ['Not read', 'danger'],
  repeated: ['Repeated', 'neutral'],
  refused: ['Refused', 'danger'],
};

/** What the server of a repository sent, and what became of it. */
export function SourceDeliveries({ path }: { path: { projectId: string; sourceId: string } }) {
  const query = useQuery({
    queryKey: ['source-deliveries', path.sourceId],
    queryFn: async () =>
      (
        await bodyOf(
          api.GET('/v1/projects/{projectId}/sources/{sourceId}/deliveries', {
            params: { path, query: { limit: 50 } },
          }),
        )
      ).items,
    refetchInterval: POLL_MS,
  });
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="text-s text-muted">Nothing was sent in the last 30 days.</p>
        ) : (
          <Table
            label="Deliveries"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Event',
                cell: ({ event, pullNumber, deliveryId, reason }) => (
                  <span className="flex flex-col gap-0.5">
                    <span className="break-all">
                      <code className="font-mono text-xs">{event ?? 'push'}</code>
                      {pullNumber !== null && ` #${pullNumber}`}
                      {deliveryId !== null && (
                        <span className="text-xs text-muted"> {deliveryId}</span>
                      )}
                    </span>
                    {reason !== null && <span className="text-s text-muted">{reason}</span>}
                  </span>
                ),
              },
              {
                title: 'State',
                isNarrow: true,
                cell: ({ outcome }) => <Status state={STATES[outcome]} />,
              },
              {
                title: 'Time',
                isNarrow: true,
                cell: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}
