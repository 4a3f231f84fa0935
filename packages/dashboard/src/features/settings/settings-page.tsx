import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import {
  queries,
  refresh,
  type Site,
  sitesKey,
  useOrganization,
  useSite,
} from '../../api/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CodeBlock, CopyText } from '../../ui/copy.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { calendarDay } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, DeleteCard } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice, Page } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';
import { PublicUrlCard } from './public-url-card.tsx';
import { StreamsCard } from './streams-card.tsx';
import { WidgetCard } from './widget-card.tsx';

/** The settings of a site. */
export function SettingsPage() {
  const site = useSite();
  const { may } = useOrganization();
  return (
    <Page title="Settings" about="Name, addresses and embed code">
      <div className="flex flex-col gap-6">
        <GeneralCard site={site} />
        <HostnamesCard site={site} />
        {may('admin') && <PublicUrlCard site={site} />}
        <WidgetCard site={site} />
        <Card
          title="MCP"
          about="Tools that support the Model Context Protocol can search and read the pages of this site here."
          isPadded
        >
          <CodeBlock label="Copy address" code={`${site.url}/mcp`} />
        </Card>
        {may('admin') && <StreamsCard site={site} />}
        {may('admin') && <DeleteSite site={site} />}
      </div>
    </Page>
  );
}

/** Name, identifier, search engines. */
function GeneralCard({ site }: { site: Site }) {
  const { slug: org, may } = useOrganization();
  const navigate = useNavigate();
  const { projectId } = site;
  const form = useApiForm({
    values: { name: site.name, slug: site.slug, noindex: site.settings.noindex },
    submit: ({ name, slug, noindex }) =>
      api.patch('/v1/projects/{projectId}', {
        path: { projectId },
        body: {
          ...(name !== site.name && { name: name.trim() || null }),
          ...(slug !== site.slug && { slug }),
          settings: { noindex },
        },
      }),
    onDone: async ({ name, slug, settings }) => {
      // Nothing else: under its new identifier, the page is there only after `navigate`.
      await queries.invalidateQueries({ queryKey: sitesKey(org) });
      form.reset({ name, slug, noindex: settings.noindex });
      notify('Settings saved');
      if (slug !== site.slug)
        await navigate({
          to: '/$org/$domain/settings',
          params: { org, domain: slug },
          replace: true,
        });
    },
  });
  return (
    <Card title="General" isPadded>
      <Form
        form={form}
        action="Save changes"
        lacks={may('admin') ? undefined : 'Admins'}
        isSettings
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" hint="Empty: the name in docs.json." {...form.field('name')} />
          <TextField
            label="Identifier"
            hint="Part of the address. The previous address redirects to the new one."
            required
            {...form.field('slug')}
          />
        </div>
        <CheckField
          label="Hide from search engines"
          hint="Asks them not to index the site."
          {...form.field('noindex')}
        />
      </Form>
    </Card>
  );
}

/** Deletes a site with everything in it. */
function DeleteSite({ site: { projectId, slug, name } }: { site: Site }) {
  const { slug: org } = useOrganization();
  const navigate = useNavigate();
  const remove = async () => {
    await api.delete('/v1/projects/{projectId}', { path: { projectId }, query: { confirm: slug } });
    await navigate({ to: '/$org', params: { org } });
    notify(`${name} is deleted`);
  };
  return (
    <DeleteCard kind="site" name={name} identifier={slug} remove={remove}>
      Deployments, uploads, exports, conversations, assistant keys and hostnames are deleted with
      it. Readers can no longer open the site. You cannot undo this.
    </DeleteCard>
  );
}

type Hostname = Schema<'Hostname'>;

const POLL_MS = 10_000;
const STATES = {
  pending: ['Waiting for DNS', 'warning'],
  verified: ['Verified', 'success'],
  failed: ['Not proven', 'danger'],
} as const;

/** The hostnames of a site, with the required and the current DNS records. */
function HostnamesCard({ site: { projectId } }: { site: Site }) {
  const { may } = useOrganization();
  const query = useQuery({
    queryKey: ['hostnames', projectId],
    queryFn: async () =>
      (await api.get('/v1/projects/{projectId}/hostnames', { path: { projectId } })).hostnames,
    // DNS may change at any time.
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'pending') ? POLL_MS : false,
  });
  return (
    <Card
      title="Hostnames"
      about="Your own domains for the site. Each is verified by a DNS record."
    >
      <div className="flex flex-col">
        <Loaded query={query} isPadded>
          {(hostnames) =>
            hostnames.map((customDomain) => (
              <HostnameRow
                key={customDomain.hostname}
                hostname={customDomain}
                projectId={projectId}
                mayChange={may('admin')}
              />
            ))
          }
        </Loaded>
        {may('admin') ? (
          <AddHostname projectId={projectId} />
        ) : (
          <p className="p-4 text-s text-muted">Admins can add hostnames.</p>
        )}
      </div>
    </Card>
  );
}

function HostnameRow({
  hostname,
  projectId,
  mayChange,
}: {
  hostname: Hostname;
  projectId: string;
  mayChange: boolean;
}) {
  const {
    hostname: name,
    status,
    checkedAt,
    problem,
    approved,
    records,
    found,
    lapsesAt,
  } = hostname;
  const params = { path: { projectId, hostname: name } };
  const verify = useAction({
    run: () => api.post('/v1/projects/{projectId}/hostnames/{hostname}/verify', params),
    failed: 'DNS could not be checked',
  });
  const remove = () =>
    confirmAction({
      title: `Remove ${name}`,
      text: 'The site is no longer available under this name. It stays available at its other addresses.',
      action: 'Remove hostname',
      run: () => api.delete('/v1/projects/{projectId}/hostnames/{hostname}', params),
      done: `${name} is removed`,
      failed: `${name} could not be removed`,
    });
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
          <Status state={lapsesAt === null ? STATES[status] : ['Proof missing', 'warning']} />
        </span>
        <span className="flex-1 text-right text-s text-muted">
          checked <RelativeTime at={checkedAt} />
        </span>
        {mayChange && (
          <span className="flex gap-1">
            <Button
              size="sm"
              icon="refresh-cw"
              isBusy={verify.isPending}
              onClick={() => verify.mutate()}
            >
              Check now
            </Button>
            <IconButton label={`Remove ${name}`} icon="trash" onClick={remove} />
          </span>
        )}
      </div>
      {problem !== null && (
        <div className="mt-3">
          <Notice tone="warning">
            {problem}
            {lapsesAt !== null && ` It stops working on ${calendarDay(new Date(lapsesAt))}.`}
          </Notice>
        </div>
      )}
      {(status !== 'verified' || lapsesAt !== null) && !approved && (
        <div className="mt-3">
          <p className="mb-2 text-s text-muted">Set one of these records at your DNS provider:</p>
          <Table
            label={`Records for ${name}`}
            rows={records}
            keyOf={({ type, value }) => type + value}
            columns={[
              {
                title: 'Type',
                isNarrow: true,
                cell: ({ type }) => <code className="font-mono text-xs">{type}</code>,
              },
              { title: 'Name', cell: (record) => toCopy(record.name, 'Copy name') },
              { title: 'Value', cell: ({ value }) => toCopy(value, 'Copy value') },
              {
                title: 'Found',
                isMinor: true,
                cell: (record) =>
                  found
                    .filter(
                      (dnsRecord) =>
                        dnsRecord.type === record.type && dnsRecord.name === record.name,
                    )
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

/**
 * Returns `docs.example.com` for `https://docs.example.com/`, which people copy from the address
 * bar.
 */
function hostnameIn(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '');
}

function AddHostname({ projectId }: { projectId: string }) {
  const form = useApiForm({
    values: { hostname: '' },
    submit: ({ hostname }) => {
      const body = { hostname: hostnameIn(hostname) };
      return api.post('/v1/projects/{projectId}/hostnames', { path: { projectId }, body });
    },
    onDone: () => {
      form.reset();
      return refresh();
    },
  });
  return (
    <form {...form.element} className="flex items-end gap-2 p-4">
      <div className="flex-1">
        <TextField
          label="Add a hostname"
          placeholder="docs.example.com"
          required
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
