import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useOrganization } from '../../api/queries.ts';
import { Loaded, Page } from '../../ui/page.tsx';
import { AllowedAddressesCard } from './allowed-addresses-card.tsx';
import { DirectoryCard, GroupRolesCard } from './directory-cards.tsx';
import { ProviderCard } from './provider-card.tsx';

/** How people of the organization sign in, and which directory sends them. */
export function OrganizationSignInPage() {
  const { slug: org } = useOrganization();
  const signIn = useQuery({
    queryKey: [org, 'sign-in'],
    queryFn: () => api.get('/v1/organization/sign-in'),
  });
  const directory = useQuery({
    queryKey: [org, 'directory'],
    queryFn: () => api.get('/v1/organization/directory'),
  });
  return (
    <Page title="Sign-in" about="The identity provider and the directory of the organization">
      <div className="flex flex-col gap-6">
        <Loaded query={signIn}>
          {(data) => (
            <>
              <ProviderCard signIn={data} />
              <AllowedAddressesCard signIn={data} />
            </>
          )}
        </Loaded>
        <Loaded query={directory}>
          {(data) => (
            <>
              <DirectoryCard directory={data} />
              <GroupRolesCard directory={data} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
