import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { membersQuery, pagedQuery, useOrganisation } from '../../api/queries.ts';
import { CopyButton, CopyText } from '../../ui/copy.tsx';
import { FilterBar, FilterSearch } from '../../ui/filters.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { List } from '../../ui/table.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';

const OUTCOMES = { done: ['Done', 'success'], refused: ['Refused', 'warning'], failed: ['Failed', 'danger'] } as const;

/** `createKey` → `Create key` */
function wordsOf(operation: string): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('organisation', 'organization');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The audit log: who changed what in the organization. */
export function AuditPage() {
  const { slug: org } = useOrganisation();
  const { actor, action, thing } = useSearch({ strict: false });
  const filters = { ...(actor && { actor }), ...(action && { action }), ...(thing && { thing }) };
  const query = useInfiniteQuery(
    pagedQuery(
      [org, 'audit', filters],
      { ...filters, limit: 50 },
      (query) => bodyOf(api.GET('/v1/audit-log', { params: { query } })),
      (parts) => parts.flatMap(({ items }) => items),
    ),
  );
  const { data: members = [] } = useQuery(membersQuery(org));
  return (
    <Page title="Audit log" about="Who changed what, including refused changes">
      <FilterBar>
        <FilterSearch name="action" label="Operation, such as createKey" />
        <FilterSearch name="actor" label="Actor id" />
        <FilterSearch name="thing" label="Thing id" />
      </FilterBar>
      <List
        label="Audit log"
        query={query}
        empty={
          <EmptyState icon="scroll-text" title="No entry matches">
            Every change to sites, keys, exports, members and settings appears here.
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={[
          { title: 'Operation', cell: (row) => <span className="font-medium">{wordsOf(row.action)}</span> },
          { title: 'Outcome', cell: ({ outcome }) => <Status state={OUTCOMES[outcome]} /> },
          { title: 'Actor', isMinor: true, cell: (row) => <Actor id={row.actor} members={members} /> },
          {
            title: 'Thing',
            isMinor: true,
            cell: (row) => (row.thing === null ? '–' : <CopyText value={row.thing} label="Copy thing" />),
          },
          {
            title: 'Address',
            isMinor: true,
            cell: ({ address }) => <code className="font-mono text-xs">{address ?? 'server'}</code>,
          },
          { title: 'When', isNarrow: true, cell: ({ time }) => <RelativeTime at={time} /> },
        ]}
      />
    </Page>
  );
}

/** The name of a member; of a key, or of somebody who left, the id. */
function Actor({ id, members }: { id: string; members: readonly Schema<'Member'>[] }) {
  const name = members.find(({ userId }) => userId === id)?.name;
  if (name === undefined) return <CopyText value={id} label="Copy actor" />;
  return (
    <span className="inline-flex items-center gap-1" title={id}>
      {name}
      <CopyButton text={id} label="Copy actor" className="size-6" />
    </span>
  );
}
