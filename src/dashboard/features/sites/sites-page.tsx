import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { FIRST_ROW } from '../../api/early-sites.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/queries.ts';
import { LinkButton } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { FilterBar, FilterSearch } from '../../ui/filters.tsx';
import { plural } from '../../ui/format.ts';
import { EmptyState, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { RelativeTime, SitePicture, SiteState } from '../../ui/values.tsx';

const POLL_MS = 5000;
const MANY = 6;

/** The sites of an organization. */
export function SitesPage() {
  const { slug: org, name, may } = useOrganisation();
  const query = useQuery({
    ...sitesQuery(org),
    refetchInterval: ({ state }) => (state.data?.some((site) => site.state === 'publishing') ? POLL_MS : false),
  });
  const newSite = may('editor') && (
    <LinkButton variant="primary" icon="plus" to="/$org/settings/new-site" params={{ org }}>
      New site
    </LinkButton>
  );
  return (
    <Page title="Sites" about={`The documentation sites of ${name}`} action={query.data && query.data.length > 0 && newSite}>
      <Loaded query={query} placeholder={<Skeleton lines={6} />}>
        {(sites) =>
          sites.length === 0 ? (
            <EmptyState
              icon="book-open"
              title="Publish your first site"
              action={
                <div className="flex flex-col items-center gap-4">
                  {newSite}
                  <div className="w-full text-left">
                    <CodeBlock code="docent publish docs --site acme" label="Copy command" />
                  </div>
                </div>
              }
            >
              A site is a folder with a docs.json and pages in MDX or Markdown. Drop it in the browser, or publish it from a
              terminal.
            </EmptyState>
          ) : (
            <Sites sites={sites} org={org} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Sites({ sites, org }: { sites: readonly Site[]; org: string }) {
  const { q = '' } = useSearch({ strict: false });
  const shown = sites.filter((site) => `${site.name} ${site.slug}`.toLowerCase().includes(q.toLowerCase()));
  return (
    <>
      {(sites.length > MANY || q !== '') && (
        <FilterBar>
          <FilterSearch name="q" label="Search sites" />
        </FilterBar>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((site, place) => (
          <li key={site.projectId}>
            <SiteCard site={site} org={org} isFirst={place < FIRST_ROW} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="py-8 text-center text-muted">No site matches.</p>}
    </>
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
          <span className="shrink-0">{site.live ? plural(site.live.pages, 'page') : <RelativeTime at={site.createdAt} />}</span>
        </div>
      </div>
    </Link>
  );
}
