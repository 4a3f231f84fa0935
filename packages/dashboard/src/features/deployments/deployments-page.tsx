import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { pagedQuery, useOrganization, useSite } from '../../api/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { cx } from '../../ui/cx.ts';
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filters.tsx';
import { EmptyState, Notice, Page } from '../../ui/page.tsx';
import { List } from '../../ui/table.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { Status } from '../../ui/values.tsx';
import {
  DeploymentMenu,
  isRunning,
  type Summary,
  stateOf,
  useDeploymentActions,
} from './deployment-actions.tsx';
import { DeploymentBadges, DeploymentFacts } from './deployment-facts.tsx';
import { PausedNotice } from './paused-notice.tsx';
import { useDeploymentName } from './use-deployment.ts';

const POLL_MS = 3000;
const STATUSES: Record<Summary['status'], string> = {
  queued: 'Queued',
  in_progress: 'Building',
  success: 'Built',
  failure: 'Failed',
};

/** Whose deployments the list shows, by the value of the filter of the API. */
const SHOWN = {
  live: ['Live', 'false'],
  previews: ['Previews', 'true'],
  all: ['All', undefined],
} as const;
type Shown = keyof typeof SHOWN;

interface Filters {
  status: string | undefined;
  q: string | undefined;
  shown: Shown;
}

/** The deployments of a site, newest first. */
function useDeployments(projectId: string, { status, q, shown }: Filters) {
  const [, preview] = SHOWN[shown];
  const filters = {
    ...(status !== undefined && { status: status as Summary['status'] }),
    ...(q && { q }),
    ...(preview !== undefined && { preview }),
  };
  return useInfiniteQuery({
    ...pagedQuery(
      ['deployments', projectId, 'list', filters],
      { ...filters, limit: 25 },
      (query) => api.get('/v1/projects/{projectId}/deployments', { path: { projectId }, query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isRunning)) ? POLL_MS : false,
  });
}

/** All deployments of a site, including failed ones and those of previews. */
export function DeploymentsPage() {
  const { slug: org, may } = useOrganization();
  const site = useSite();
  const { status, q, show, compare } = useSearch({ strict: false });
  const view: Shown = show === 'previews' || show === 'all' ? show : 'live';
  const settled = useSettled(q);
  const query = useDeployments(site.projectId, { status, q: settled, shown: view });
  const isFiltered = status !== undefined || q !== undefined || view !== 'live';
  const hasRows = query.data !== undefined && query.data.length > 0;
  const { rollBack } = useDeploymentActions(site);
  const previousId = site.live?.previousId;
  useCommand(
    previousId && may('editor')
      ? {
          title: 'Roll back to the previous deployment',
          icon: 'rotate-ccw',
          run: () => rollBack({ id: previousId }),
        }
      : undefined,
  );
  const params = { org, domain: site.slug };
  const publish = may('editor') && (
    <LinkButton variant="primary" icon="upload" to="/$org/$domain/publish" params={params}>
      Publish
    </LinkButton>
  );
  return (
    <Page
      title="Deployments"
      about="What was published, by whom, and what it changed"
      action={(hasRows || isFiltered) && publish}
    >
      {compare !== undefined && <ChosenForComparison id={compare} />}
      {query.data?.some(({ pausesPushes }) => pausesPushes) && (
        <div className="mb-4">
          <PausedNotice />
        </div>
      )}
      {(isFiltered || hasRows) && (
        <FilterBar>
          <ShownFilter shown={view} />
          <FilterSelect
            name="status"
            label="State"
            all="All states"
            options={STATUSES}
            className="w-36 max-sm:flex-1"
          />
          <FilterSearch name="q" label="Search deployments" />
        </FilterBar>
      )}
      <List
        label="Deployments"
        query={query}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title="No deployment matches">
              Search for a message, branch, author, preview, or the start of a hash.
            </EmptyState>
          ) : (
            <EmptyState icon="rocket" title="Nothing is published yet" action={publish}>
              Publish a folder of documentation. Earlier deployments are kept, so that you can roll
              back.
            </EmptyState>
          )
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Deployment',
            cell: (row) => (
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <Link
                    to="/$org/$domain/deployments/$id"
                    params={{ ...params, id: row.id }}
                    className="line-clamp-1 font-medium break-all hover:underline"
                  >
                    {deploymentTitle(row)}
                  </Link>
                  <DeploymentBadges deployment={row} />
                </span>
                <DeploymentFacts deployment={row} />
              </span>
            ),
          },
          { title: 'State', isNarrow: true, cell: (row) => <Status state={stateOf(row)} /> },
          {
            title: '(Actions)',
            cell: (row) =>
              compare === undefined || compare === row.id ? (
                <DeploymentMenu deployment={row} site={site} />
              ) : (
                (row.canPromote || row.isLive) && (
                  <LinkButton
                    size="sm"
                    to="/$org/$domain/deployments/$id/compare"
                    params={{ ...params, id: compare }}
                    search={{ base: row.id }}
                    aria-label={`Compare with ${deploymentTitle(row)}`}
                  >
                    Compare
                  </LinkButton>
                )
              ),
          },
        ]}
      />
    </Page>
  );
}

/** Live deployments, those of previews, or all. */
function ShownFilter({ shown }: { shown: Shown }) {
  return (
    <nav aria-label="Deployments of" className="flex rounded-md border border-line-strong p-0.5">
      {Object.entries(SHOWN).map(([name, [title]]) => (
        <Link
          key={name}
          to="."
          search={(search: object) =>
            ({ ...search, show: name === 'live' ? undefined : name }) as never
          }
          aria-current={name === shown ? 'page' : undefined}
          className={cx(
            'flex h-7.5 items-center rounded-sm px-3 text-s font-medium transition-colors',
            name === shown ? 'bg-hover text-text' : 'text-muted hover:text-text',
          )}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** Says which deployment is compared while the other one is being chosen. */
function ChosenForComparison({ id }: { id: string }) {
  const name = useDeploymentName(id);
  return (
    <div className="mb-4">
      <Notice>
        Choose the deployment to compare “{name}” with.{' '}
        <Link
          to="."
          search={(search: object) => ({ ...search, compare: undefined }) as never}
          className="font-medium text-accent-text hover:underline"
        >
          Cancel
        </Link>
      </Notice>
    </div>
  );
}
