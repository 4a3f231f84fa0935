import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { FilterBar, FilterSelect, useSetSearch } from '../../ui/filters.tsx';
import { count } from '../../ui/format.ts';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/values.tsx';
import { OUTCOMES, Outcome, ThreadSheet } from './thread-sheet.tsx';

const PERIODS = { 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days' } as const;
const DAY_MS = 86_400_000;

function threadsQuery(org: string, projectId: string, outcome: string | undefined, days: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [org, 'threads', projectId, outcome, days],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: 50,
        ...(outcome !== undefined && { outcome: outcome as keyof typeof OUTCOMES }),
        ...(days !== undefined && { dateFrom: new Date(Date.now() - Number(days) * DAY_MS).toISOString() }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      return bodyOf(api.GET('/v1/analytics/{projectId}/assistant/threads', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** What readers asked the assistant of a site. */
export function ConversationsPage() {
  const { slug: org } = useOrganisation();
  const { projectId, slug } = useSite() as Site;
  const { outcome, days, thread } = useSearch({ strict: false });
  const query = useInfiniteQuery(threadsQuery(org, projectId, outcome, days));
  const threads = query.data?.pages.flatMap((page) => page.threads);
  const isFiltered = outcome !== undefined || days !== undefined;
  const setSearch = useSetSearch();
  return (
    <Page title="Conversations" about="What readers asked, what the assistant answered, and from which pages">
      <FilterBar>
        <FilterSelect
          name="outcome"
          label="Outcome"
          all="All outcomes"
          options={Object.fromEntries(Object.entries(OUTCOMES).map(([name, { title }]) => [name, title]))}
        />
        <FilterSelect name="days" label="Period" all="All time" options={PERIODS} />
      </FilterBar>
      {query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !threads ? (
        <TableSkeleton />
      ) : threads.length === 0 ? (
        <EmptyState icon="message-square" title={isFiltered ? 'No conversation matches' : 'No conversations yet'}>
          {isFiltered
            ? 'Choose another outcome or a longer period.'
            : 'Questions from readers on the site, and from programs with a key, appear here.'}
        </EmptyState>
      ) : (
        <>
          <Table
            label="Conversations"
            rows={threads}
            keyOf={({ threadId }) => threadId}
            onOpen={({ threadId }) => setSearch({ thread: threadId })}
            columns={[
              { title: 'First question', cell: ({ query: text }) => <span className="line-clamp-2">{text}</span> },
              { title: 'Outcome', cell: ({ outcome: ended }) => <Outcome name={ended} /> },
              { title: 'Questions', isNumber: true, isMinor: true, cell: ({ questionCount }) => count(questionCount) },
              { title: 'Last message', isMinor: true, isNarrow: true, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
            ]}
          />
          <LoadMore query={query} />
        </>
      )}
      <ThreadSheet key={slug} projectId={projectId} threadId={thread} onClose={() => setSearch({ thread: undefined })} />
    </Page>
  );
}
