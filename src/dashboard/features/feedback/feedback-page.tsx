import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { RelativeTime } from '../../ui/values.tsx';

/** What readers said of answers. */
export function FeedbackPage() {
  const { slug: org } = useOrganisation();
  const { projectId, slug: domain } = useSite() as Site;
  const { helpful } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    queryKey: [org, 'feedback', projectId, helpful],
    queryFn: ({ pageParam }) => {
      const asked = {
        limit: 50,
        ...(helpful !== undefined && { helpful: helpful as 'true' | 'false' }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      return bodyOf(api.GET('/v1/analytics/{projectId}/feedback', { params: { path: { projectId }, query: asked } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const rows = query.data?.pages.flatMap((page) => page.feedback);
  const setHelpful = (value: string) =>
    navigate({ to: '.', search: value === '' ? {} : { helpful: value }, replace: true } as never);
  return (
    <Page title="Feedback" about="What readers said of pages and of the assistant's answers">
      <Select aria-label="Rating" className="mb-4 w-44" value={helpful ?? ''} onChange={({ target }) => setHelpful(target.value)}>
        <option value="">All ratings</option>
        <option value="false">Not helpful</option>
        <option value="true">Helpful</option>
      </Select>
      {query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !rows ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState icon="inbox" title={helpful === undefined ? 'No feedback yet' : 'No feedback matches'}>
          Readers rate an answer with one press, and can say why. What they say appears here.
        </EmptyState>
      ) : (
        <>
          <Table
            label="Feedback"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Rating',
                isNarrow: true,
                cell: (row) => (
                  <span className="inline-flex items-center gap-2">
                    <Icon
                      name={row.helpful ? 'thumbs-up' : 'thumbs-down'}
                      className={row.helpful ? 'text-success' : 'text-warning'}
                    />
                    <span className="max-md:sr-only">{row.helpful ? 'Helpful' : 'Not helpful'}</span>
                  </span>
                ),
              },
              {
                title: 'Question and comment',
                cell: (row) => (
                  <span className="flex flex-col">
                    {row.threadId !== null && (
                      <Link
                        to="/$org/$domain/conversations"
                        params={{ org, domain }}
                        search={{ thread: row.threadId }}
                        className="line-clamp-1 font-medium hover:underline"
                      >
                        {row.question ?? 'A question that is not kept'}
                      </Link>
                    )}
                    {row.comment !== null && <span className="text-muted">{row.comment}</span>}
                  </span>
                ),
              },
              { title: 'Page', isMinor: true, cell: ({ path }) => <code className="font-mono text-xs">{path ?? '–'}</code> },
              { title: 'Received', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            ]}
          />
          <LoadMore query={query} />
        </>
      )}
    </Page>
  );
}
