import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { count, duration } from '../../ui/format.ts';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status } from '../../ui/values.tsx';
import { DeploymentMenu, isRollback } from './deployment-menu.tsx';
import { deploymentsQuery, type Summary, useDeploymentActions, wordOf } from './deployments-query.ts';

const STATUSES: Record<Summary['status'], string> = {
  queued: 'Queued',
  in_progress: 'Building',
  success: 'Built',
  failure: 'Failed',
};

/** All deployments of a site, including failed ones. */
export function DeploymentsPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite() as Site;
  const { status } = useSearch({ strict: false });
  const query = useInfiniteQuery(deploymentsQuery(org, site.projectId, status));
  const rows = query.data?.pages.flatMap((page) => page.items);
  const { promote } = useDeploymentActions(site);
  const previous = may('editor') ? rows?.find((row) => row.canPromote && isRollback(row, site)) : undefined;
  useCommand(
    previous && {
      title: 'Roll back to the previous deployment',
      icon: 'rotate-ccw',
      run: () => promote.mutate({ id: previous.id }),
    },
  );
  const params = { org, domain: site.slug };
  const publish = may('editor') && (
    <LinkButton variant="primary" icon="upload" to="/$org/$domain/publish" params={params}>
      Publish
    </LinkButton>
  );
  return (
    <Page title="Deployments" about="Every published source and its outcome" action={rows && rows.length > 0 && publish}>
      {(status !== undefined || (rows && rows.length > 0)) && (
        <FilterBar>
          <FilterSelect name="status" label="State" all="All states" options={STATUSES} />
        </FilterBar>
      )}
      {query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !rows ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          icon="rocket"
          title={status === undefined ? 'Nothing is published yet' : 'No deployment matches'}
          action={publish}
        >
          Publish a folder with a docs.json. Earlier deployments are kept, so that you can roll back.
        </EmptyState>
      ) : (
        <>
          <Table
            label="Deployments"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Deployment',
                cell: (row) => (
                  <span className="flex flex-col">
                    <Link
                      to="/$org/$domain/deployments/$id"
                      params={{ ...params, id: row.id }}
                      className="line-clamp-1 font-medium hover:underline"
                    >
                      {row.summary || 'Queued'}
                    </Link>
                    <code className="truncate font-mono text-xs text-muted">{row.id}</code>
                  </span>
                ),
              },
              {
                title: 'State',
                isNarrow: true,
                cell: (row) => (
                  <span className="flex items-center gap-2">
                    <Status tone={wordOf(row)[1]}>{wordOf(row)[0]}</Status>
                    {row.pinned && <Badge>pinned</Badge>}
                  </span>
                ),
              },
              { title: 'Pages', isNumber: true, isMinor: true, cell: ({ pages }) => count(pages) },
              { title: 'Duration', isNumber: true, isMinor: true, cell: (row) => lengthOf(row) },
              { title: 'Started', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
              { title: '(Actions)', isNarrow: true, cell: (row) => <DeploymentMenu deployment={row} site={site} /> },
            ]}
          />
          <LoadMore query={query} />
        </>
      )}
    </Page>
  );
}

/** Duration of a deployment, including waiting. */
export function lengthOf({ startedAt, createdAt, endedAt }: Summary): string {
  return endedAt === null ? '–' : duration(Date.parse(endedAt) - Date.parse(startedAt ?? createdAt));
}
