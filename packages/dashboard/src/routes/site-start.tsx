import { lazy, Suspense } from 'react';
import { useOrganization, useSite } from '../api/queries.ts';
import { OverviewPage } from '../features/overview/overview-page.tsx';
import { Skeleton } from '../ui/page.tsx';

const PublishPage = lazy(async () => ({
  default: (await import('../features/publish/publish-page.tsx')).PublishPage,
}));

/** The first page of a site: its overview, or how to publish it while nothing ever was. */
export function SiteStartPage() {
  const { may } = useOrganization();
  const { projectId, live, lastDeployment } = useSite();
  // The page without data knows nothing of the site.
  const isNew = projectId !== '' && live === null && lastDeployment === null;
  if (!isNew || !may('editor')) return <OverviewPage />;
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <PublishPage isFirst />
    </Suspense>
  );
}
