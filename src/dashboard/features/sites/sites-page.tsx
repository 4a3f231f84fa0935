import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { EmptyState, ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { SitePicture } from '../../ui/site-picture.tsx';
import { RelativeTime, Status } from '../../ui/values.tsx';

/** The sites of an organization. */
export function SitesPage() {
  const { slug, name } = useOrganisation();
  const { data: sites, error, refetch } = useQuery(sitesQuery(slug));
  return (
    <Page title="Sites" about={`The documentation sites of ${name}`}>
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !sites ? (
        <Skeleton lines={6} />
      ) : sites.length === 0 ? (
        <EmptyState
          icon="book-open"
          title="Publish your first site"
          action={<CodeBlock code="docent publish docs --site my-docs" label="Copy command" />}
        >
          A site is a folder with a docs.json and pages in MDX or Markdown.
        </EmptyState>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {sites.map((site) => (
            <li key={site.projectId}>
              <SiteCard site={site} org={slug} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function SiteCard({ site, org }: { site: Site; org: string }) {
  return (
    <Link
      to="/$org/$domain"
      params={{ org, domain: site.slug }}
      className="block overflow-hidden rounded-lg border border-line transition-colors hover:border-line-strong hover:bg-sunken"
    >
      <SitePicture site={site} />
      <div className="flex flex-col gap-1 border-t border-line px-4 py-3">
        <div className="flex items-center justify-between gap-3">
          <span className="truncate font-medium">{site.name}</span>
          <span className="text-s">
            <Status tone={site.published ? 'success' : 'neutral'}>{site.published ? 'Live' : 'Not published'}</Status>
          </span>
        </div>
        <div className="flex items-center justify-between gap-3 text-s text-muted">
          <span className="truncate">{site.url.replace(/^https?:\/\//, '')}</span>
          <span className="shrink-0">
            <RelativeTime at={site.updatedAt} />
          </span>
        </div>
      </div>
    </Link>
  );
}
