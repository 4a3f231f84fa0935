import { AUDIT_KINDS, type AuditKind, auditParts } from '@docent/format/access/audit-words.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, download, type Schema } from '../../api/client.ts';
import {
  keysQuery,
  membersQuery,
  pagedQuery,
  sitesKey,
  useOrganization,
} from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import {
  FilterBar,
  FilterDay,
  FilterSearch,
  FilterSelect,
  useSetSearch,
} from '../../ui/filters.tsx';
import { Sheet } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import { List, timeColumn } from '../../ui/table.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { Status } from '../../ui/values.tsx';
import { EntryDetails, OUTCOMES } from './entry-details.tsx';

export type Entry = Schema<'AuditEntry'>;

const DAY_MS = 86_400_000;

/**
 * The filters in the URL, as the API takes them. Days are those of the reader; the last one is
 * included.
 */
function useFilters() {
  const { q, actor, site, kind, outcome, from, to } = useSearch({ strict: false });
  const text = useSettled(q);
  const startOf = (day: string) => new Date(`${day}T00:00:00`);
  const dayOf = (day: string | undefined) =>
    day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? startOf(day) : undefined;
  const [first, last] = [dayOf(from), dayOf(to)];
  return {
    ...(text && { q: text }),
    ...(actor && { actor }),
    ...(site && { siteId: site }),
    ...(kind && kind in AUDIT_KINDS && { kind: kind as AuditKind }),
    ...(outcome && outcome in OUTCOMES && { outcome: outcome as Entry['outcome'] }),
    ...(first && { dateFrom: first.toISOString() }),
    ...(last && { dateTo: new Date(last.getTime() + DAY_MS).toISOString() }),
  };
}

/** The audit log: who changed what in the organization. */
export function AuditPage() {
  const { slug: org } = useOrganization();
  const { entry: openId } = useSearch({ strict: false });
  const setSearch = useSetSearch();
  const filters = useFilters();
  const query = useInfiniteQuery({
    ...pagedQuery(
      [org, 'audit', filters],
      { ...filters, limit: 50 },
      (query) => api.get('/v1/audit-log', { query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    placeholderData: keepPreviousData,
  });
  const opened = query.data?.find(({ id }) => id === openId);
  return (
    <Page
      title="Audit log"
      about="Who changed what, including refused changes"
      action={<ExportMenu filters={filters} />}
    >
      <Filters org={org} />
      <List
        label="Audit log"
        query={query}
        empty={
          <EmptyState
            icon="scroll-text"
            title={Object.keys(filters).length > 0 ? 'No entry matches' : 'Nothing has changed yet'}
          >
            Every change to sites, keys, exports, members and settings appears here.
          </EmptyState>
        }
        keyOf={({ id }) => id}
        onOpen={({ id }) => setSearch({ entry: id })}
        columns={[
          { title: 'What happened', cell: (entry) => <Sentence entry={entry} /> },
          {
            title: 'Outcome',
            isMinor: true,
            isNarrow: true,
            cell: ({ outcome }) => <Status state={OUTCOMES[outcome]} />,
          },
          {
            title: 'Address',
            isMinor: true,
            isNarrow: true,
            cell: ({ address }) => <code className="font-mono text-xs">{address ?? 'server'}</code>,
          },
          timeColumn('When', 'time'),
        ]}
      />
      <Sheet
        title={opened?.sentence ?? 'Entry'}
        isOpen={opened !== undefined}
        onClose={() => setSearch({ entry: undefined })}
      >
        {opened && <EntryDetails entry={opened} org={org} />}
      </Sheet>
    </Page>
  );
}

/** The sentence of an entry, with its names emphasized. */
function Sentence({ entry }: { entry: Entry }) {
  return (
    <span className="font-normal text-muted">
      {auditParts(entry).map(({ text, isName }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never change their order
        <span key={index} className={isName ? 'font-medium break-words text-text' : undefined}>
          {text}
        </span>
      ))}
      {entry.outcome !== 'done' && (
        <span className="block md:hidden">
          <Status state={OUTCOMES[entry.outcome]} />
        </span>
      )}
    </span>
  );
}

function Filters({ org }: { org: string }) {
  const { data: members = [] } = useQuery(membersQuery(org));
  const { data: keys = [] } = useQuery(keysQuery(org));
  const { data: sites = [] } = useQuery({
    queryKey: [...sitesKey(org), 'names'],
    queryFn: async () => (await api.get('/v1/projects', { query: { sort: 'name' } })).projects,
  });
  const people = [
    ...members.map(({ userId, name }) => [userId, name]),
    ...keys.filter(({ kind }) => kind === 'admin').map(({ id, name }) => [id, `Key ${name}`]),
    ['operator', 'The operator'],
  ];
  const names = sites.map(
    ({ projectId, name, slug }) => [projectId, name === slug ? name : `${name} (${slug})`] as const,
  );
  return (
    <FilterBar>
      <FilterSearch name="q" label="Search the audit log" />
      <FilterSelect
        name="actor"
        label="Person or key"
        all="Everyone"
        options={Object.fromEntries(people)}
      />
      <FilterSelect name="site" label="Site" all="All sites" options={Object.fromEntries(names)} />
      <FilterSelect name="kind" label="Kind of change" all="All changes" options={AUDIT_KINDS} />
      <FilterSelect
        name="outcome"
        label="Outcome"
        all="All outcomes"
        options={Object.fromEntries(
          Object.entries(OUTCOMES).map(([name, [title]]) => [name, title]),
        )}
      />
      <FilterDay name="from" label="From" />
      <FilterDay name="to" label="To" />
    </FilterBar>
  );
}

/** Saves the entries that match the filters. */
function ExportMenu({ filters }: { filters: Record<string, string> }) {
  const save = (format: 'csv' | 'ndjson') =>
    download(
      `/v1/audit-log/export?${new URLSearchParams({ ...filters, format })}`,
      `audit-log.${format}`,
    ).catch((error: unknown) => notifyFailure('The audit log could not be exported', error));
  return (
    <Menu trigger={<Button icon="download">Export</Button>}>
      <MenuItem onSelect={() => save('csv')}>CSV</MenuItem>
      <MenuItem onSelect={() => save('ndjson')}>JSON Lines</MenuItem>
    </Menu>
  );
}
