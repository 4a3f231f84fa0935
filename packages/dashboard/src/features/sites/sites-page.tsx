import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { FIRST_ROW, MAX_CARDS } from '../../api/early-answer.ts';
import {
  firstSitesQuery,
  pagedQuery,
  type Site,
  sitesKey,
  useOrganization,
} from '../../api/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CodeBlock, CommandHelp } from '../../ui/copy.tsx';
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filters.tsx';
import { count, plural } from '../../ui/format.ts';
import { EmptyState, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { List } from '../../ui/table.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { RelativeTime, SitePicture, SiteState } from '../../ui/values.tsx';

const POLL_MS = 5000;

const isLong = ({ projects }: { projects: readonly Site[] }) => projects.length > MAX_CARDS;
const isPublishing = ({ state }: Site) => state === 'publishing';

/** The sites of an organization. */
export function SitesPage() {
  const { slug: org, name, may } = useOrganization();
  const query = useQuery({
    ...firstSitesQuery(org),
    refetchInterval: ({ state: { data } }) =>
      data && !isLong(data) && data.projects.some(isPublishing) ? POLL_MS : false,
  });
  const newSite = may('editor') && (
    <LinkButton variant="primary" icon="plus" to="/$org/settings/new-site" params={{ org }}>
      New site
    </LinkButton>
  );
  return (
    <Page
      title="Sites"
      about={`The documentation sites of ${name}`}
      action={query.data && query.data.projects.length > 0 && newSite}
    >
      <Loaded query={query} placeholder={<Skeleton lines={6} />}>
        {(first) =>
          first.projects.length === 0 ? (
            <EmptyState
              icon="book-open"
              title="Publish your first site"
              action={
                <div className="flex flex-col items-center gap-4">
                  {newSite}
                  <div className="w-full text-left">
                    <CodeBlock code="docent publish docs --site acme" label="Copy command" />
                    <CommandHelp className="mt-2" />
                  </div>
                </div>
              }
            >
              A site is a folder of pages in MDX or Markdown. Drop it in the browser, or publish it
              from a terminal.
            </EmptyState>
          ) : isLong(first) ? (
            <ManySites org={org} />
          ) : (
            <Cards sites={first.projects} org={org} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Cards({ sites, org }: { sites: readonly Site[]; org: string }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {sites.map((site, place) => (
        <li key={site.projectId}>
          <SiteCard site={site} org={org} isFirst={place < FIRST_ROW} />
        </li>
      ))}
    </ul>
  );
}

function SiteCard({ site, org, isFirst }: { site: Site; org: string; isFirst: boolean }) {
  return (
    <Link
      to="/$org/$domain"
      params={{ org, domain: site.slug }}
      className="flex items-center overflow-hidden rounded-lg border border-line transition-colors hover:border-line-strong hover:bg-sunken sm:block"
    >
      <div className="w-28 shrink-0 sm:w-auto">
        <SitePicture site={site} isFirst={isFirst} />
      </div>
      <div className="flex min-w-0 grow flex-col gap-1 border-line px-4 py-3 max-sm:border-l sm:border-t">
        <div className="flex items-center justify-between gap-3">
          <span className="truncate font-medium">{site.name}</span>
          <span className="text-s">
            <SiteState site={site} />
          </span>
        </div>
        <div className="flex items-center justify-between gap-3 text-s text-muted">
          <span className="truncate">{site.url.replace(/^https?:\/\//, '')}</span>
          <span className="shrink-0">
            {site.live ? plural(site.live.pages, 'page') : <RelativeTime at={site.createdAt} />}
          </span>
        </div>
      </div>
    </Link>
  );
}

const STATES = {
  live: 'Live',
  failing: 'Last publish failed',
  publishing: 'Publishing',
  empty: 'Not published',
} as const;
const ORDERS = { deployed: 'Last deployment', name: 'Name', state: 'State' } as const;

/** A list that the server searches, sorts and returns in parts. */
function ManySites({ org }: { org: string }) {
  const { q, state, sort } = useSearch({ strict: false });
  const text = useSettled(q);
  const filters = {
    ...(text && { q: text }),
    ...(state && state in STATES && { state: state as keyof typeof STATES }),
    sort: sort && sort in ORDERS ? (sort as keyof typeof ORDERS) : ('deployed' as const),
  };
  const query = useInfiniteQuery({
    ...pagedQuery(
      [...sitesKey(org), 'list', filters],
      { ...filters, limit: 50 },
      (query) => api.get('/v1/projects', { query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(isPublishing)) ? POLL_MS : false,
  });
  return (
    <>
      <FilterBar>
        <FilterSearch name="q" label="Search sites" />
        <FilterSelect name="state" label="State" all="All states" options={STATES} />
        <FilterSelect name="sort" label="Sorted by" value="deployed" options={ORDERS} />
      </FilterBar>
      <List
        label="Sites"
        query={query}
        empty={<p className="py-8 text-center text-muted">No site matches.</p>}
        keyOf={({ projectId }) => projectId}
        columns={[
          { title: 'Site', cell: (site) => <SiteName site={site} org={org} /> },
          { title: 'State', isNarrow: true, cell: (site) => <SiteState site={site} /> },
          {
            title: 'Pages',
            isNumber: true,
            isMinor: true,
            cell: ({ live }) => (live ? count(live.pages) : '–'),
          },
          {
            title: 'Last deployment',
            isNarrow: true,
            isMinor: true,
            cell: ({ lastDeployment }) => <RelativeTime at={lastDeployment?.createdAt ?? null} />,
          },
        ]}
      />
    </>
  );
}

/** The name, and the identifier where that is something else: names need not be unique. */
function SiteName({ site: { name, slug }, org }: { site: Site; org: string }) {
  return (
    <Link
      to="/$org/$domain"
      params={{ org, domain: slug }}
      className="group flex min-w-0 flex-wrap items-baseline gap-x-2"
    >
      <span className="font-medium group-hover:underline">{name}</span>
      {name !== slug && <span className="text-muted">{slug}</span>}
    </Link>
  );
}
