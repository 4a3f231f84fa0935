import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { pagedQuery, useOrganisation, useSite } from '../../api/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { count } from '../../ui/format.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import { List } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status } from '../../ui/values.tsx';
import { DeploymentMenu, isRunning, lengthOf, type Summary, stateOf, useDeploymentActions } from './deployment-actions.tsx';

const POLL_MS = 3000;
const STATUSES: Record<Summary['status'], string> = {
  queued: 'Queued',
  in_progress: 'Building',
  success: 'Built',
  failure: 'Failed',
};

/** The deployments of a site, newest first. */
function useDeployments(projectId: string, status: string | undefined) {
  const filters = { ...(status !== undefined && { status: status as Summary['status'] }) };
  return useInfiniteQuery({
    ...pagedQuery(
      ['deployments', projectId, 'list', status],
      { ...filters, limit: 25 },
      (query) => bodyOf(api.GET('/v1/projects/{projectId}/deployments', { params: { path: { projectId }, query } })),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isRunning)) ? POLL_MS : false),
  });
}

/** All deployments of a site, including failed ones. */
export function DeploymentsPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite();
  const { status } = useSearch({ strict: false });
  const query = useDeployments(site.projectId, status);
  const hasRows = query.data !== undefined && query.data.length > 0;
  const { rollBack } = useDeploymentActions(site);
  const previousId = site.live?.previousId;
  useCommand(
    previousId && may('editor')
      ? { title: 'Roll back to the previous deployment', icon: 'rotate-ccw', run: () => rollBack({ id: previousId }) }
      : undefined,
  );
  const params = { org, domain: site.slug };
  const publish = may('editor') && (
    <LinkButton variant="primary" icon="upload" to="/$org/$domain/publish" params={params}>
      Publish
    </LinkButton>
  );
  return (
    <Page title="Deployments" about="Every published source and its outcome" action={hasRows && publish}>
      {(status !== undefined || hasRows) && (
        <FilterBar>
          <FilterSelect name="status" label="State" all="All states" options={STATUSES} />
        </FilterBar>
      )}
      <List
        label="Deployments"
        query={query}
        empty={
          <EmptyState
            icon="rocket"
            title={status === undefined ? 'Nothing is published yet' : 'No deployment matches'}
            action={publish}
          >
            Publish a folder with a docs.json. Earlier deployments are kept, so that you can roll back.
          </EmptyState>
        }
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
                <Status state={stateOf(row)} />
                {row.preview !== null && <Badge>preview {row.preview}</Badge>}
                {row.promotedFrom !== null && <Badge>from preview {row.promotedFrom}</Badge>}
                {row.pinned && <Badge>pinned</Badge>}
              </span>
            ),
          },
          { title: 'Pages', isNumber: true, isMinor: true, cell: ({ pages }) => count(pages) },
          { title: 'Duration', isNumber: true, isMinor: true, cell: lengthOf },
          { title: 'Started', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { title: '(Actions)', cell: (row) => <DeploymentMenu deployment={row} site={site} /> },
        ]}
      />
    </Page>
  );
}
