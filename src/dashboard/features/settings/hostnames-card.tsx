import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { Card, ErrorState, Skeleton } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';

type Hostname = Schema<'Hostname'>;

const POLL_MS = 10_000;
const STATES = {
  pending: ['Waiting for DNS', 'warning'],
  verified: ['Verified', 'success'],
  failed: ['Not proven', 'danger'],
} as const;

/** The hostnames of a site, with the required and the current DNS records. */
export function HostnamesCard({ site }: { site: Site }) {
  const { slug: org, may } = useOrganisation();
  const { projectId } = site;
  const { data, error, refetch } = useQuery({
    queryKey: [org, 'hostnames', projectId],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/projects/{projectId}/hostnames', { params: { path: { projectId } } }))).hostnames,
    // DNS may change at any time.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? POLL_MS : false),
  });
  return (
    <Card title="Hostnames" about="Your own domains for the site. Each is verified by a DNS record.">
      <div className="flex flex-col">
        {error ? (
          <div className="p-4">
            <ErrorState error={error} onRetry={refetch} />
          </div>
        ) : !data ? (
          <div className="p-4">
            <Skeleton />
          </div>
        ) : (
          data.map((one) => <HostnameRow key={one.hostname} hostname={one} projectId={projectId} mayChange={may('admin')} />)
        )}
        {may('admin') ? (
          <AddHostname projectId={projectId} />
        ) : (
          <p className="p-4 text-s text-muted">Admins can add hostnames.</p>
        )}
      </div>
    </Card>
  );
}

/** Queries to refetch when a hostname changes: the list, and the address of the site. */
function useRefresh(projectId: string): () => Promise<unknown> {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [org, 'hostnames', projectId] }),
      queries.invalidateQueries(sitesQuery(org)),
    ]);
}

function HostnameRow({ hostname, projectId, mayChange }: { hostname: Hostname; projectId: string; mayChange: boolean }) {
  const [isRemoved, setRemoved] = useState(false);
  const refresh = useRefresh(projectId);
  const path = { projectId, hostname: hostname.hostname };
  const verify = useMutation({
    mutationFn: () => api.POST('/v1/projects/{projectId}/hostnames/{hostname}/verify', { params: { path } }),
    onError: (error) => notifyFailure('DNS could not be checked', error),
    onSettled: refresh,
  });
  const [word, tone] = STATES[hostname.status];
  return (
    <div className="border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{hostname.hostname}</span>
        <span className="text-s">
          <Status tone={tone}>{word}</Status>
        </span>
        <span className="flex-1 text-right text-s text-muted">
          checked <RelativeTime at={hostname.checkedAt} />
        </span>
        {mayChange && (
          <span className="flex gap-1">
            <Button size="sm" icon="refresh-cw" isBusy={verify.isPending} onClick={() => verify.mutate()}>
              Check now
            </Button>
            <IconButton label={`Remove ${hostname.hostname}`} icon="trash" onClick={() => setRemoved(true)} />
          </span>
        )}
      </div>
      {hostname.problem !== null && (
        <div className="mt-3">
          <Notice tone="warning">{hostname.problem}</Notice>
        </div>
      )}
      {hostname.status !== 'verified' && !hostname.approved && (
        <div className="mt-3">
          <p className="mb-2 text-s text-muted">Set one of these records at your DNS provider:</p>
          <Table
            label={`Records for ${hostname.hostname}`}
            rows={hostname.records}
            keyOf={({ type, value }) => type + value}
            columns={[
              { title: 'Type', isNarrow: true, cell: ({ type }) => <code className="font-mono text-xs">{type}</code> },
              {
                title: 'Name',
                cell: ({ name }) => (
                  <span className="block min-w-26 sm:min-w-40">
                    <CopyText value={name} label="Copy name" />
                  </span>
                ),
              },
              {
                title: 'Value',
                cell: ({ value }) => (
                  <span className="block min-w-26 sm:min-w-40">
                    <CopyText value={value} label="Copy value" />
                  </span>
                ),
              },
              {
                title: 'Found',
                isMinor: true,
                cell: ({ type, name }) =>
                  hostname.found
                    .filter((one) => one.type === type && one.name === name)
                    .map(({ value }) => value)
                    .join(', ') || '–',
              },
            ]}
          />
        </div>
      )}
      <ConfirmDialog
        title={`Remove ${hostname.hostname}`}
        action="Remove hostname"
        isOpen={isRemoved}
        onClose={() => setRemoved(false)}
        run={() => api.DELETE('/v1/projects/{projectId}/hostnames/{hostname}', { params: { path } })}
        done={`${hostname.hostname} is removed`}
        failed={`${hostname.hostname} could not be removed`}
        refresh={refresh}
      >
        The site is no longer available under this name. It stays available at its other addresses.
      </ConfirmDialog>
    </div>
  );
}

function AddHostname({ projectId }: { projectId: string }) {
  const refresh = useRefresh(projectId);
  const form = useApiForm({
    values: { hostname: '' },
    submit: (body) => api.POST('/v1/projects/{projectId}/hostnames', { params: { path: { projectId } }, body }),
    onDone: () => {
      form.reset();
      return refresh();
    },
  });
  return (
    <form onSubmit={form.onSubmit} className="flex items-end gap-2 p-4">
      <div className="flex-1">
        <TextField
          label="Add a hostname"
          placeholder="docs.example.com"
          required
          autoComplete="off"
          {...form.field('hostname')}
          {...(form.failure !== undefined && { error: form.failure })}
        />
      </div>
      <Button type="submit" isBusy={form.isBusy}>
        Add
      </Button>
    </form>
  );
}
