import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import {
  deploymentQuery,
  isUsable,
  keysQuery,
  type Site,
  useOrganization,
  useSite,
} from '../../api/queries.ts';
import { AnchorButton, LinkButton } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { bytes, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { RelativeTime, SitePicture, SiteState } from '../../ui/values.tsx';
import { Traffic } from './traffic.tsx';

const WEEK_MS = 7 * 86_400_000;

/**
 * A site at a glance: the live site, the last deployment, this week's questions and searches, and
 * next steps.
 */
export function OverviewPage() {
  const { slug: org, may } = useOrganization();
  const site = useSite();
  const params = { org, domain: site.slug };
  // The page without data knows the address of the site alone, and not whether it has a picture.
  if (site.projectId === '') {
    return (
      <Page title={site.name}>
        <Card className="grid overflow-hidden md:grid-cols-[24rem_1fr]">
          <div className="aspect-[1200/630] min-h-full max-w-full bg-sunken" />
          <div className="p-6">
            <Skeleton lines={5} />
          </div>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title={site.name}
      about={<SiteState site={site} />}
      action={
        <span className="flex gap-2">
          {may('editor') && (
            <LinkButton
              icon="upload"
              variant={site.live ? 'secondary' : 'primary'}
              to="/$org/$domain/publish"
              params={params}
            >
              Publish
            </LinkButton>
          )}
          {site.live && (
            <AnchorButton href={site.url} target="_blank" rel="noreferrer" icon="external-link">
              Visit
            </AnchorButton>
          )}
        </span>
      }
    >
      <div className="flex flex-col gap-6">
        <Card className="grid overflow-hidden md:grid-cols-[24rem_1fr]">
          <SitePicture key={site.live?.id} site={site} />
          <Facts site={site} org={org} />
        </Card>
        <Traffic site={site} org={org} />
        <div className="grid items-start gap-6 empty:hidden lg:grid-cols-2 lg:[&>:only-child]:col-span-2">
          <Questions site={site} org={org} />
          <Searches site={site} org={org} />
        </div>
        {may('editor') && <NextSteps site={site} org={org} />}
      </div>
    </Page>
  );
}

function Facts({ site, org }: { site: Site; org: string }) {
  const { live, lastDeployment } = site;
  const facts: Record<string, ReactNode> = {
    Address: <CopyText value={site.url} label="Copy address" />,
    Identifier: <CopyText value={site.slug} label="Copy identifier" />,
    Content: live
      ? `${plural(live.pages, 'page')}, ${bytes(live.bytes)}`
      : 'Nothing is published yet',
    Published: live && <RelativeTime at={live.publishedAt} />,
    'Last deployment': lastDeployment && (
      <LastDeployment site={site} org={org} id={lastDeployment.id} />
    ),
  };
  return (
    <dl className="grid content-center gap-x-6 gap-y-3 p-6 text-s max-sm:[&_dt]:-mb-2.5 sm:grid-cols-[8rem_1fr] sm:items-baseline">
      {Object.entries(facts).map(
        ([name, fact]) =>
          fact && (
            <Fragment key={name}>
              <dt className="text-muted">{name}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** The last deployment by its name, with what its build found. */
function LastDeployment({
  site: { projectId, slug },
  org,
  id,
}: {
  site: Site;
  org: string;
  id: string;
}) {
  const { data } = useQuery(deploymentQuery(projectId, id));
  if (!data) return <span className="skeleton inline-block h-3.5 w-40 animate-pulse" />;
  const { errors, warnings } = data;
  const findings = [
    errors > 0 && plural(errors, 'error'),
    warnings > 0 && plural(warnings, 'warning'),
  ].filter(Boolean);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <Link
        to="/$org/$domain/deployments/$id"
        params={{ org, domain: slug, id }}
        className="line-clamp-1 break-all text-accent-text hover:underline"
      >
        {deploymentTitle(data)}
      </Link>
      {findings.length > 0 && (
        <span className={errors > 0 ? 'text-warning' : 'text-muted'}>{findings.join(', ')}</span>
      )}
    </span>
  );
}

const latest = (projectId: string) => ({
  path: { projectId },
  query: { dateFrom: new Date(Date.now() - WEEK_MS).toISOString(), limit: 5 },
});

function Questions({ site: { projectId, slug }, org }: { site: Site; org: string }) {
  const { data } = useQuery({
    queryKey: ['threads', projectId, 'week'],
    queryFn: () => api.get('/v1/analytics/{projectId}/assistant/threads', latest(projectId)),
  });
  return (
    <OfTheWeek
      title="Questions"
      all={{ title: 'All conversations', to: '/$org/$domain/conversations' }}
      params={{ org, domain: slug }}
      rows={data?.threads.map(({ threadId, query, updatedAt, outcome }) => ({
        name: query,
        search: { thread: threadId },
        warning:
          (outcome === 'not_in_docs' && 'Not in the docs') ||
          (outcome === 'partly' && 'Answered in part'),
        detail: <RelativeTime at={updatedAt} />,
      }))}
    />
  );
}

function Searches({ site: { projectId, slug }, org }: { site: Site; org: string }) {
  const { data } = useQuery({
    queryKey: ['searches', projectId, 'week'],
    queryFn: () => api.get('/v1/analytics/{projectId}/searches', latest(projectId)),
  });
  return (
    <OfTheWeek
      title="Searches"
      all={{ title: 'All searches', to: '/$org/$domain/searches' }}
      params={{ org, domain: slug }}
      rows={data?.searches.map(({ searchQuery, hits, noResults }) => ({
        name: searchQuery,
        search: { days: '7', q: searchQuery },
        warning: noResults > 0 && 'No result',
        detail: plural(hits, 'time'),
      }))}
    />
  );
}

interface WeekProps {
  title: string;
  all: { title: string; to: '/$org/$domain/conversations' | '/$org/$domain/searches' };
  params: { org: string; domain: string };
  rows: { name: string; search: object; warning: string | false; detail: ReactNode }[] | undefined;
}

/**
 * What readers did this week, as links into the page that lists it. Nothing if they did nothing.
 */
function OfTheWeek({ title, all, params, rows = [] }: WeekProps) {
  if (rows.length === 0) return null;
  return (
    <Card
      title={`${title} of the week`}
      action={
        <LinkButton size="sm" variant="ghost" to={all.to} params={params} search={{ days: '7' }}>
          {all.title}
        </LinkButton>
      }
    >
      <ul className="divide-y divide-line text-s">
        {rows.map(({ name, search, warning, detail }) => (
          <li key={JSON.stringify(search)}>
            <Link
              to={all.to}
              params={params}
              search={search}
              className="flex items-center gap-4 px-4 py-2.5 hover:bg-sunken"
            >
              <span className="flex-1 truncate">{name}</span>
              {warning && <span className="text-warning">{warning}</span>}
              <span className="text-muted">{detail}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface StepOf {
  icon: IconName;
  title: string;
  about: string;
  to:
    | '/$org/$domain/publish'
    | '/$org/$domain/keys'
    | '/$org/$domain/settings'
    | '/$org/$domain/exports';
  isDone: boolean | undefined;
}

/** What is left to do; a step disappears once it is done. */
function NextSteps({ site, org }: { site: Site; org: string }) {
  const { projectId } = site;
  const { plan } = useOrganization();
  const { data: keys } = useQuery(keysQuery(org));
  const { data: exports } = useQuery({
    queryKey: ['exports', projectId, 'any'],
    queryFn: () => api.get('/v1/static-export/jobs', { query: { domain: site.slug, limit: 1 } }),
    enabled: plan === 'enterprise' && site.live !== null,
  });
  const steps: StepOf[] = [
    {
      icon: 'upload',
      title: 'Publish the site',
      about: 'Readers see it once the first version is built.',
      to: '/$org/$domain/publish',
      isDone: site.live !== null,
    },
    {
      icon: 'key-round',
      title: 'Create a key',
      about: 'Ask the assistant from your website or product.',
      to: '/$org/$domain/keys',
      isDone: keys?.some((key) => key.projectId === projectId && isUsable(key)),
    },
    {
      icon: 'globe',
      title: 'Add a hostname',
      about: 'Serve the site on your own domain.',
      to: '/$org/$domain/settings',
      isDone: site.hostnames.length > 0,
    },
    {
      icon: 'package',
      title: 'Start an export',
      about: 'Get the site as one archive, for example for closed networks.',
      to: '/$org/$domain/exports',
      isDone: exports && exports.jobs.length > 0,
    },
  ];
  // Before the first version, everything else is too early.
  const left = (site.live ? steps : steps.slice(0, 1)).filter(({ isDone }) => isDone === false);
  if (left.length === 0) return null;
  return (
    <section aria-label="Next steps">
      <h2 className="mb-3 text-sm font-semibold">Next steps</h2>
      <ul className="grid gap-4 md:grid-cols-3">
        {left.map(({ icon, title, about, to }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ org, domain: site.slug }}
              className="flex h-full gap-3 rounded-lg border border-line p-4 transition-colors hover:border-line-strong hover:bg-sunken"
            >
              <Icon name={icon} className="mt-0.75 text-accent-text" />
              <span>
                <span className="block font-medium">{title}</span>
                <span className="text-s text-muted">{about}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
