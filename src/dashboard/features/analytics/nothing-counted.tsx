import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/page.tsx';
import { notify, notifyFailure } from '../../ui/toast.tsx';
import { settingsQuery } from './analytics-query.ts';

/** The identifier of the site that a first start publishes: the documentation of Docent. */
const DOCUMENTATION = 'docent';

/** What is counted and why there is nothing yet; where counting is off for the site, the button that turns it on. */
export function NothingCounted() {
  const { slug: org, may } = useOrganisation();
  const { projectId } = useSite() as Site;
  const queries = useQueryClient();
  const { data } = useQuery(settingsQuery(org, projectId));
  const turnOn = useMutation({
    mutationFn: () =>
      api.PATCH('/v1/project/{projectId}/analytics-settings', { params: { path: { projectId } }, body: { enabled: true } }),
    onSuccess: async () => {
      await queries.invalidateQueries(settingsQuery(org, projectId));
      notify('Analytics are on');
    },
    onError: (error) => notifyFailure('Analytics stay off', error),
  });
  if (data?.enabled === false)
    return (
      <EmptyState
        icon="chart-column"
        title="Analytics are off for this site"
        action={
          may('editor') && (
            <Button variant="primary" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
              Turn on analytics
            </Button>
          )
        }
      >
        <WhatIsCounted />
      </EmptyState>
    );
  return (
    <EmptyState icon="chart-column" title="Nothing is counted in this period">
      <WhatIsCounted /> Figures appear a few seconds after a page was read. Where the operator set{' '}
      <code className="font-mono text-xs">DOCENT_ANALYTICS=off</code>, nothing is counted on any site.
    </EmptyState>
  );
}

function WhatIsCounted() {
  const { slug: org } = useOrganisation();
  const { data: sites = [] } = useQuery(sitesQuery(org));
  const title = 'Privacy of readers';
  return (
    <>
      Views, visitors, searches and what AI fetches are counted on your own server, without cookies and without addresses of
      readers. What is stored is on the page{' '}
      {sites.some(({ slug }) => slug === DOCUMENTATION) ? (
        <a
          href={`/sites/${DOCUMENTATION}/guides/privacy`}
          target="_blank"
          rel="noreferrer"
          className="text-accent-text underline"
        >
          {title}
        </a>
      ) : (
        `“${title}”`
      )}{' '}
      of the documentation.
    </>
  );
}
