import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { type Changed, refresh, type Site, sitesQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { confirmAction } from '../../ui/overlays/dialog.tsx';
import { useAction } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';

type Hostname = Schema<'Hostname'>;

const POLL_MS = 10_000;
const STATES = {
  pending: ['Waiting for DNS', 'warning'],
  verified: ['Verified', 'success'],
  failed: ['Not proven', 'danger'],
} as const;

function hostnamesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['hostnames', projectId],
    queryFn: async () =>
      (await bodyOf(api.GET('/v1/projects/{projectId}/hostnames', { params: { path: { projectId } } }))).hostnames,
    // DNS may change at any time.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? POLL_MS : false),
  });
}

/** The hostnames of a site, with the required and the current DNS records. */
export function HostnamesCard({ site: { projectId } }: { site: Site }) {
  const { slug: org, may } = useOrganisation();
  const query = useQuery(hostnamesQuery(projectId));
  // With a hostname, the address of the site changes too.
  const changes = [hostnamesQuery(projectId), sitesQuery(org)];
  return (
    <Card title="Hostnames" about="Your own domains for the site. Each is verified by a DNS record.">
      <div className="flex flex-col">
        <Loaded query={query} isPadded>
          {(hostnames) =>
            hostnames.map((one) => (
              <HostnameRow key={one.hostname} hostname={one} projectId={projectId} changes={changes} mayChange={may('admin')} />
            ))
          }
        </Loaded>
        {may('admin') ? (
          <AddHostname projectId={projectId} changes={changes} />
        ) : (
          <p className="p-4 text-s text-muted">Admins can add hostnames.</p>
        )}
      </div>
    </Card>
  );
}

interface RowProps {
  hostname: Hostname;
  projectId: string;
  changes: readonly Changed[];
  mayChange: boolean;
}

function HostnameRow({ hostname, projectId, changes, mayChange }: RowProps) {
  const { hostname: name, status, checkedAt, problem, approved, records, found } = hostname;
  const params = { path: { projectId, hostname: name } };
  const verify = useAction({
    run: () => api.POST('/v1/projects/{projectId}/hostnames/{hostname}/verify', { params }),
    failed: 'DNS could not be checked',
    changes,
  });
  const remove = () =>
    confirmAction({
      title: `Remove ${name}`,
      text: 'The site is no longer available under this name. It stays available at its other addresses.',
      action: 'Remove hostname',
      run: () => api.DELETE('/v1/projects/{projectId}/hostnames/{hostname}', { params }),
      done: `${name} is removed`,
      failed: `${name} could not be removed`,
      changes,
    });
  const [word, tone] = STATES[status];
  const toCopy = (value: string, label: string) => (
    <span className="block min-w-26 sm:min-w-40">
      <CopyText value={value} label={label} />
    </span>
  );
  return (
    <div className="border-b border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{name}</span>
        <span className="text-s">
          <Status tone={tone}>{word}</Status>
        </span>
        <span className="flex-1 text-right text-s text-muted">
          checked <RelativeTime at={checkedAt} />
        </span>
        {mayChange && (
          <span className="flex gap-1">
            <Button size="sm" icon="refresh-cw" isBusy={verify.isPending} onClick={() => verify.mutate()}>
              Check now
            </Button>
            <IconButton label={`Remove ${name}`} icon="trash" onClick={remove} />
          </span>
        )}
      </div>
      {problem !== null && (
        <div className="mt-3">
          <Notice tone="warning">{problem}</Notice>
        </div>
      )}
      {status !== 'verified' && !approved && (
        <div className="mt-3">
          <p className="mb-2 text-s text-muted">Set one of these records at your DNS provider:</p>
          <Table
            label={`Records for ${name}`}
            rows={records}
            keyOf={({ type, value }) => type + value}
            columns={[
              { title: 'Type', isNarrow: true, cell: ({ type }) => <code className="font-mono text-xs">{type}</code> },
              { title: 'Name', cell: (record) => toCopy(record.name, 'Copy name') },
              { title: 'Value', cell: ({ value }) => toCopy(value, 'Copy value') },
              {
                title: 'Found',
                isMinor: true,
                cell: (record) =>
                  found
                    .filter((one) => one.type === record.type && one.name === record.name)
                    .map(({ value }) => value)
                    .join(', ') || '–',
              },
            ]}
          />
        </div>
      )}
    </div>
  );
}

function AddHostname({ projectId, changes }: Pick<RowProps, 'projectId' | 'changes'>) {
  const form = useApiForm({
    values: { hostname: '' },
    submit: (body) => api.POST('/v1/projects/{projectId}/hostnames', { params: { path: { projectId } }, body }),
    onDone: () => {
      form.reset();
      return refresh(...changes);
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
