import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation, useSite } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { EmptyState } from '../../ui/page.tsx';
import { settingsQuery } from './analytics-query.ts';

/** Slug of the site that the first start publishes: the documentation of Docent. */
const DOCUMENTATION = 'docent';

/** Explains what is counted and why there is no data yet; if analytics are off for the site, offers to turn them on. */
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
        <WhatIsStored />
      </EmptyState>
    );
  return (
    <EmptyState icon="chart-column" title="No data in this period">
      <p>Data appears a few seconds after a page view.</p>
      <WhatIsStored />
      <p>
        If the operator set <code className="font-mono text-xs">DOCENT_ANALYTICS=off</code>, analytics are off for all sites.
      </p>
    </EmptyState>
  );
}

function WhatIsStored() {
  const { slug: org } = useOrganisation();
  const { data: sites = [] } = useQuery(sitesQuery(org));
  const title = 'Privacy of readers';
  return (
    <p>
      For what is stored, see{' '}
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
      in the documentation.
    </p>
  );
}
