import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import {
  type ApiKey,
  isUsable,
  keysQuery,
  refresh,
  type Site,
  stateOf,
  useOrganization,
  useSite,
} from '../../api/queries.ts';
import { IconButton, useMainAction } from '../../ui/button.tsx';
import type { Choice } from '../../ui/choices-field.tsx';
import { CodeBlock, ShownOnce } from '../../ui/copy.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { FilterBar, FilterSearch, useSetSearch } from '../../ui/filters.tsx';
import { calendarDay, linesOf } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { EmptyState, Loaded, Notice, Page } from '../../ui/page.tsx';
import { Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status } from '../../ui/values.tsx';
import { SitesField } from './sites-field.tsx';

const WORDS = {
  assistant: {
    title: 'Assistant keys',
    about: 'Public keys for web pages and programs that use the assistant of this site',
    empty: 'Create a key to ask the assistant from your website, your product or a script.',
    example: 'Website chat',
    created:
      'The whole key is shown only once. It is public: put it into the code of your page or program.',
    notice:
      'An assistant key (svc_dsc_…) is public: you can use it in the code of a web page. It can ask the assistant, search, and read pages of this site, and nothing else.',
  },
  admin: {
    title: 'Admin keys',
    about: 'Secret keys for servers and pipelines: publishing, exports, analytics',
    empty: 'Create a key to publish and export from a pipeline.',
    example: 'Pipeline',
    created:
      'It is shown only once. Store it where your program can read it, for example as a CI secret.',
    notice:
      'An admin key (svc_…) is secret: keep it on servers and in CI secrets. It works for every site of the organization, unless you bind it to some.',
  },
} as const;

/** The assistant keys of the site in the URL. */
export function AssistantKeysPage() {
  return <KeysPage kind="assistant" site={useSite()} needed="editor" />;
}

/** The admin keys of the organization. */
export function AdminKeysPage() {
  return <KeysPage kind="admin" needed="admin" />;
}

interface KeysProps {
  kind: ApiKey['kind'];
  /** The site of assistant keys. */
  site?: Site | undefined;
}

function KeysPage({ kind, site, needed }: KeysProps & { needed: 'editor' | 'admin' }) {
  const { slug: org, may } = useOrganization();
  const { q = '', all = false, create = false } = useSearch({ strict: false });
  const isOwn = (key: ApiKey) =>
    key.kind === kind && (kind === 'admin' || key.projectId === site?.projectId);
  const query = useQuery({ ...keysQuery(org), select: (keys) => keys.filter(isOwn) });
  const setSearch = useSetSearch();
  const open = () => setSearch({ create: true });
  const [changed, setChanged] = useState<ApiKey>();
  const button = useMainAction(
    may(needed) ? { title: 'Create key', icon: 'plus', run: open } : undefined,
  );
  const words = WORDS[kind];
  const isShown = (key: ApiKey) =>
    (all || isUsable(key)) && key.name.toLowerCase().includes(q.toLowerCase());
  return (
    <Page
      title={words.title}
      about={words.about}
      action={query.data && query.data.length > 0 && button}
    >
      <Loaded query={query} placeholder={<TableSkeleton />}>
        {(apiKeys) =>
          apiKeys.length === 0 ? (
            <EmptyState icon="key-round" title="No keys yet" action={button}>
              {words.empty}
            </EmptyState>
          ) : (
            <>
              <FilterBar>
                <FilterSearch name="q" label="Search keys" />
                <CheckField
                  label="Show revoked and expired"
                  checked={all}
                  onChange={(event) => setSearch({ all: event.target.checked || undefined })}
                />
              </FilterBar>
              <KeysTable
                keys={apiKeys.filter(isShown)}
                mayChange={may(needed)}
                onChange={setChanged}
              />
            </>
          )
        }
      </Loaded>
      <NewKeyDialog
        kind={kind}
        site={site}
        isOpen={create}
        onClose={() => setSearch({ create: undefined })}
      />
      <Dialog
        title="Change key"
        isOpen={changed !== undefined}
        onClose={() => setChanged(undefined)}
      >
        {changed && <ChangeKeyForm apiKey={changed} onDone={() => setChanged(undefined)} />}
      </Dialog>
    </Page>
  );
}

const STATES = {
  active: ['Active', 'success'],
  'expires soon': ['Expires soon', 'warning'],
  expired: ['Expired', 'neutral'],
  revoked: ['Revoked', 'neutral'],
} as const;

function KeysTable({
  keys,
  mayChange,
  onChange,
}: {
  keys: readonly ApiKey[];
  mayChange: boolean;
  onChange: (key: ApiKey) => void;
}) {
  const revoke = ({ id: keyId, name, masked }: ApiKey) =>
    confirmAction({
      title: `Revoke ${name}`,
      text: `Whatever uses ${masked} is refused from now on, and so are the keys and open invitations that were created with it. This cannot be undone.`,
      action: 'Revoke key',
      run: () => api.delete('/v1/keys/{keyId}', { path: { keyId } }),
      done: 'Key revoked',
      failed: 'The key could not be revoked',
    });
  if (keys.length === 0) return <p className="py-8 text-center text-muted">No key matches.</p>;
  return (
    <Table
      label="Keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: (key) => (
            <span className="flex flex-col">
              <span className="font-medium">{key.name}</span>
              <code className="font-mono text-xs text-muted">{key.masked}</code>
              {key.createdBy && (
                <span className="text-xs text-muted">by {actorName(key.createdBy)}</span>
              )}
            </span>
          ),
        },
        { title: 'State', cell: (key) => <Status state={STATES[stateOf(key)]} /> },
        { title: 'Limits', isMinor: true, cell: (key) => <Limits subject={key} /> },
        {
          title: 'Last used',
          isMinor: true,
          cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
        },
        {
          title: 'Expires',
          isMinor: true,
          cell: ({ expiresAt }) =>
            expiresAt === null ? (
              <span className="text-muted">never</span>
            ) : (
              calendarDay(new Date(expiresAt))
            ),
        },
        {
          title: '(Actions)',
          cell: (key) =>
            mayChange &&
            isUsable(key) && (
              <span className="flex justify-end gap-1">
                <IconButton
                  label={`Change ${key.name}`}
                  icon="pencil"
                  onClick={() => onChange(key)}
                />
                <IconButton label={`Revoke ${key.name}`} icon="ban" onClick={() => revoke(key)} />
              </span>
            ),
        },
      ]}
    />
  );
}

/** What a key is restricted to. */
function Limits({
  subject: { scopes, siteIds, sites, siteNames, ipAllowlist, originAllowlist },
}: {
  subject: ApiKey;
}) {
  const isShared = (name: string) => siteNames.indexOf(name) !== siteNames.lastIndexOf(name);
  const words: string[] = [
    ...scopes,
    ...siteNames.map((name, index) => (isShared(name) ? `${name} (${sites[index]})` : name)),
  ];
  if (siteIds.length > 0 && sites.length === 0) words.push('deleted site');
  if (ipAllowlist.length > 0) words.push(`${ipAllowlist.length} IP`);
  if (originAllowlist.length === 1) words.push(...originAllowlist);
  else if (originAllowlist.length > 1) words.push(`${originAllowlist.length} origins`);
  if (words.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  );
}

type NewApiKey = Schema<'NewApiKey'>;

/** Creates a key and shows it once. */
function NewKeyDialog({
  isOpen,
  onClose,
  ...props
}: KeysProps & { isOpen: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<NewApiKey>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog title={created ? 'Copy the key now' : 'Create key'} isOpen={isOpen} onClose={close}>
      {created ? (
        <ShownOnce
          about={WORDS[created.kind].created}
          label="Key"
          value={created.key}
          onClose={close}
        >
          <div>
            <p className="mb-1.5 text-s font-medium">Try it</p>
            <CodeBlock code={commandFor(created)} label="Copy command" />
          </div>
        </ShownOnce>
      ) : (
        <NewKeyForm {...props} onCreated={setCreated} />
      )}
    </Dialog>
  );
}

const EXPIRIES = {
  7: 'in 7 days',
  30: 'in 30 days',
  60: 'in 60 days',
  90: 'in 90 days',
  never: 'never',
};
const SCOPES = { read: 'Read', write: 'Read and change', keys: 'Create and revoke keys' } as const;

function NewKeyForm({
  kind,
  site,
  onCreated,
}: KeysProps & { onCreated: (key: NewApiKey) => void }) {
  const form = useApiForm({
    values: {
      name: '',
      expiresInDays: '90',
      scopes: [] as (keyof typeof SCOPES)[],
      siteIds: [] as Choice[],
      ipAllowlist: '',
      originAllowlist: '',
    },
    submit: ({ name, expiresInDays, scopes, siteIds, ipAllowlist, originAllowlist }) =>
      api.post('/v1/keys', {
        body: {
          kind,
          name,
          expiresInDays:
            expiresInDays === 'never' ? null : (Number(expiresInDays) as 7 | 30 | 60 | 90),
          ipAllowlist: linesOf(ipAllowlist),
          originAllowlist: linesOf(originAllowlist),
          ...(site ? { site: site.slug } : { scopes, siteIds: siteIds.map(({ id }) => id) }),
        },
      }),
    onDone: (key) => {
      onCreated(key);
      return refresh();
    },
  });
  return (
    <Form form={form} action="Create key">
      <Notice>{WORDS[kind].notice}</Notice>
      <TextField
        label="Name"
        placeholder={WORDS[kind].example}
        hint="A name that identifies the key."
        required
        maxLength={100}
        {...form.field('name')}
      />
      <SelectField label="Expires" options={EXPIRIES} {...form.field('expiresInDays')} />
      {kind === 'admin' ? (
        <>
          <SitesField
            value={form.watch('siteIds')}
            onChange={(sites) => {
              form.clearErrors('siteIds');
              form.setValue('siteIds', sites, { shouldDirty: true });
            }}
            error={form.field('siteIds').error}
          />
          <fieldset className="flex flex-col gap-2">
            <legend className="mb-1.5 text-s font-medium">Scopes</legend>
            {Object.entries(SCOPES).map(([scope, label]) => (
              <CheckField key={scope} label={label} value={scope} {...form.field('scopes')} />
            ))}
            <p className="text-s text-muted">
              With none of them, it may do everything that you may.
            </p>
          </fieldset>
        </>
      ) : (
        <OriginsField {...form.field('originAllowlist')} />
      )}
      <TextAreaField
        label="IP addresses"
        rows={2}
        placeholder="203.0.113.0/24"
        hint="Addresses and ranges that may use the key, one per line. Empty: every address."
        {...form.field('ipAllowlist')}
      />
    </Form>
  );
}

/** Changes what can be changed of a key that is in use. */
function ChangeKeyForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const params = { path: { keyId: apiKey.id } };
  const isPublic = apiKey.kind === 'assistant';
  const form = useApiForm({
    values: { name: apiKey.name, originAllowlist: apiKey.originAllowlist.join('\n') },
    submit: ({ name, originAllowlist }) =>
      api.patch('/v1/keys/{keyId}', {
        ...params,
        body: { name, ...(isPublic && { originAllowlist: linesOf(originAllowlist) }) },
      }),
    onDone: async () => {
      await refresh();
      onDone();
      notify('Key saved');
    },
  });
  return (
    <Form form={form} action="Save" isSettings>
      <TextField label="Name" required maxLength={100} {...form.field('name')} />
      {isPublic && <OriginsField {...form.field('originAllowlist')} />}
      <p className="text-s text-muted">
        Scopes, addresses and expiry stay as they are. For others, create another key.
      </p>
    </Form>
  );
}

function OriginsField(props: Omit<ComponentProps<typeof TextAreaField>, 'label'>) {
  return (
    <TextAreaField
      label="Origins"
      rows={2}
      placeholder="https://www.example.com"
      hint="Web origins whose pages may use the key, one per line. Empty: every origin."
      {...props}
    />
  );
}

/** A command that works as is. */
function commandFor({ kind, key, site }: NewApiKey): string {
  const origin = window.location.origin;
  if (kind === 'admin') return `curl ${origin}/v1/projects \\\n  -H 'Authorization: Bearer ${key}'`;
  const body = {
    fp: 'anonymous',
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I start?' }] }],
  };
  return `curl -N ${origin}/discovery/v2/assistant/${site}/message \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
}
