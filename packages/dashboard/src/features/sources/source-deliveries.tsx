import { useQuery } from '@tanstack/react-query';
import { api, type Schema } from '../../api/client.ts';
import { DELIVERIES_POLL_MS, Deliveries } from '../../ui/deliveries.tsx';
import type { State } from '../../ui/values.tsx';

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
        await api.get('/v1/projects/{projectId}/sources/{sourceId}/deliveries', {
          path,
          query: { limit: 50 },
        })
      ).items,
    refetchInterval: DELIVERIES_POLL_MS,
  });
  return (
    <Deliveries
      query={query}
      eventOf={({ event, pullNumber, deliveryId }) => (
        <>
          <code className="font-mono text-xs">{event ?? 'push'}</code>
          {pullNumber !== null && ` #${pullNumber}`}
          {deliveryId !== null && <span className="text-xs text-muted"> {deliveryId}</span>}
        </>
      )}
      detailsOf={({ reason }) => reason}
      stateOf={({ outcome }) => STATES[outcome]}
      timeOf={({ receivedAt }) => receivedAt}
    />
  );
}
