import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { useOrganisation, useSession } from '../../api/current.ts';
import { DeleteCard } from '../../ui/delete-card.tsx';
import { Card, ErrorState, Page } from '../../ui/page.tsx';
import { Status } from '../../ui/values.tsx';
import { GeneralCard, organisationQuery } from './general-card.tsx';

/** The settings of an organization. */
export function OrganisationPage() {
  const { may, role: _, ...known } = useOrganisation();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...organisationQuery(known.slug),
    // Shows the form at once, inert until the settings are loaded.
    placeholderData: { ...known, highestPlan: known.plan, twoFactorRequired: false, createdAt: '', updatedAt: '' },
  });
  return (
    <Page title="General" about="Name, identifier, plan and security of the organization">
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        data && (
          <div className="flex flex-col gap-6" inert={isPlaceholderData}>
            <GeneralCard key={isPlaceholderData ? '' : data.id} organisation={data} />
            <SignInCard />
            {may('owner') && <DeleteOrganisation organisation={data} />}
          </div>
        )
      )}
    </Page>
  );
}

/** The sign-in methods. The operator configures them for the whole server. */
function SignInCard() {
  const { signIn, mail } = useSession();
  const rows = [
    ['Single sign-on', signIn.sso.map(({ name }) => name).join(', ')],
    ['Mail for invitations and password resets', mail ? 'On' : ''],
  ] as const;
  return (
    <Card title="Sign-in" about="Set by the operator of this server, for all organizations" isPadded>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
        {rows.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd>
              <Status tone={value === '' ? 'neutral' : 'success'}>{value || 'Off'}</Status>
            </dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}

/** Deletes an organization with everything in it. */
function DeleteOrganisation({ organisation: { name, slug } }: { organisation: Schema<'Organisation'> }) {
  const remove = async () => {
    await api.DELETE('/v1/organisation', { params: { query: { confirm: slug } } });
    // None of its data may stay in memory, so the page is reloaded.
    window.location.assign('/dashboard');
  };
  return (
    <DeleteCard kind="organization" name={name} identifier={slug} remove={remove}>
      Sites, deployments, exports, conversations, keys, memberships and the audit log are deleted with it. People keep their
      accounts. You cannot undo this.
    </DeleteCard>
  );
}
