import { useQuery } from '@tanstack/react-query';
import { useOrganisation } from '../../api/current.ts';
import { ErrorState, Page, Skeleton } from '../../ui/page.tsx';
import { DeleteCard } from './delete-card.tsx';
import { GeneralCard } from './general-card.tsx';
import { organisationQuery } from './organisation-query.ts';

/** The settings of an organization. */
export function OrganisationPage() {
  const { slug, may } = useOrganisation();
  const { data, error, refetch } = useQuery(organisationQuery(slug));
  return (
    <Page title="General" about="Name, identifier and security of the organization">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : (
        <div className="flex flex-col gap-6">
          <GeneralCard key={data.id} organisation={data} />
          {may('owner') && <DeleteCard organisation={data} />}
        </div>
      )}
    </Page>
  );
}
