import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useOrganisation, useSite } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { CheckField } from '../../ui/field.tsx';
import { FilterBar, FilterSearch, useSetSearch } from '../../ui/filters.tsx';
import { calendarDay } from '../../ui/format.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status } from '../../ui/values.tsx';
import { type ApiKey, isUsable, keysQuery, stateOf } from './keys-query.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const WORDS = {
  assistant: {
    title: 'Assistant keys',
    about: 'Public keys for web pages and programs that use the assistant of this site',
    empty: 'Create a key to ask the assistant from your website, your product or a script.',
  },
  admin: {
    title: 'Admin keys',
    about: 'Secret keys for servers and pipelines: publishing, exports, analytics',
    empty: 'Create a key to publish and export from a pipeline.',
  },
} as const;

/** The assistant keys of the site in the URL. */
export function AssistantKeysPage() {
  return <KeysPage kind="assistant" needed="editor" />;
}

/** The admin keys of the organization. */
export function AdminKeysPage() {
  return <KeysPage kind="admin" needed="admin" />;
}

function KeysPage({ kind, needed }: { kind: ApiKey['kind']; needed: 'editor' | 'admin' }) {
  const { slug: org, may } = useOrganisation();
  const site = useSite();
  const { q = '', all = false, create = false } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(keysQuery(org));
  const [revoked, setRevoked] = useState<ApiKey>();
  const setSearch = useSetSearch();
  const open = () => setSearch({ create: true });
  const mayCreate = may(needed);
  useCommand(mayCreate ? { title: 'Create key', icon: 'plus', run: open } : undefined);

  const own = data?.filter((key) => key.kind === kind && (kind === 'admin' || key.projectId === site?.projectId));
  const shown = own?.filter((key) => (all || isUsable(key)) && key.name.toLowerCase().includes(q.toLowerCase()));
  const words = WORDS[kind];
  const button = (
    <Button variant="primary" icon="plus" onClick={open}>
      Create key
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} action={mayCreate && own && own.length > 0 ? button : undefined}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !own || !shown ? (
        <TableSkeleton />
      ) : own.length === 0 ? (
        <EmptyState icon="key-round" title="No keys yet" action={mayCreate ? button : undefined}>
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
          <KeysTable keys={shown} onRevoke={mayCreate ? setRevoked : undefined} />
        </>
      )}
      <NewKeyDialog kind={kind} site={site} isOpen={create} onClose={() => setSearch({ create: undefined })} />
      <RevokeDialog org={org} subject={revoked} onClose={() => setRevoked(undefined)} />
    </Page>
  );
}

const TONES = { active: 'success', 'expires soon': 'warning', expired: 'neutral', revoked: 'neutral' } as const;
const STATES = { active: 'Active', 'expires soon': 'Expires soon', expired: 'Expired', revoked: 'Revoked' } as const;

function KeysTable({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: ((key: ApiKey) => void) | undefined }) {
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
            </span>
          ),
        },
        { title: 'State', cell: (key) => <Status tone={TONES[stateOf(key)]}>{STATES[stateOf(key)]}</Status> },
        { title: 'Limits', isMinor: true, cell: (key) => <Limits subject={key} /> },
        { title: 'Last used', isMinor: true, cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
        {
          title: 'Expires',
          isMinor: true,
          cell: ({ expiresAt }) =>
            expiresAt === null ? <span className="text-muted">never</span> : calendarDay(new Date(expiresAt)),
        },
        {
          title: '(Actions)',
          isNarrow: true,
          cell: (key) =>
            onRevoke && isUsable(key) && <IconButton label={`Revoke ${key.name}`} icon="ban" onClick={() => onRevoke(key)} />,
        },
      ]}
    />
  );
}

/** What a key is restricted to. */
function Limits({ subject }: { subject: ApiKey }) {
  const { scopes, ipAllowlist, originAllowlist } = subject;
  const words = [
    ...scopes,
    ...(ipAllowlist.length > 0 ? [`${ipAllowlist.length} IP`] : []),
    ...(originAllowlist.length > 0
      ? [originAllowlist.length === 1 ? (originAllowlist[0] as string) : `${originAllowlist.length} origins`]
      : []),
  ];
  if (words.length === 0) return <span className="text-muted">none</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  );
}

function RevokeDialog({ org, subject, onClose }: { org: string; subject: ApiKey | undefined; onClose: () => void }) {
  const queries = useQueryClient();
  const path = { keyId: subject?.id ?? '' };
  return (
    <ConfirmDialog
      title={`Revoke ${subject?.name ?? ''}`}
      action="Revoke key"
      isOpen={subject !== undefined}
      onClose={onClose}
      run={() => api.DELETE('/v1/keys/{keyId}', { params: { path } })}
      done="Key revoked"
      failed="The key could not be revoked"
      refresh={() => queries.invalidateQueries(keysQuery(org))}
    >
      Whatever uses {subject?.masked} is refused from now on, and so are the keys that were created with it. This cannot be
      undone.
    </ConfirmDialog>
  );
}
