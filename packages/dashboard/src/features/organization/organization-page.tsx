import { PLANS } from '@docent/format/access/may.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import {
  queries,
  refresh,
  sessionQuery,
  usageQuery,
  useOrganization,
  useSession,
} from '../../api/queries.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { DeleteCard } from '../../ui/overlays/dialog.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice, Page } from '../../ui/page.tsx';
import { Facts, Status } from '../../ui/values.tsx';
import { GitHubAppsCard } from '../sources/github-apps-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

type Organization = Schema<'Organization'>;

/** The settings of an organization. */
export function OrganizationPage() {
  const { may, role: _, ...known } = useOrganization();
  const query = useQuery({
    queryKey: [known.slug, 'organization'],
    queryFn: () => api.get('/v1/organization'),
    // Shows the form at once, inert until the settings are loaded.
    placeholderData: {
      ...known,
      highestPlan: known.plan,
      twoFactorRequired: false,
      createdAt: '',
      updatedAt: '',
    },
  });
  return (
    <Page title="General" about="Name, identifier, plan and security of the organization">
      <Loaded query={query}>
        {(data) => (
          <div className="flex flex-col gap-6" inert={query.isPlaceholderData}>
            <GeneralCard key={query.isPlaceholderData ? '' : data.id} organization={data} />
            <SignInCard />
            {may('admin') && <GitHubAppsCard />}
            {may('admin') && <WebhooksCard />}
            {may('owner') && <DeleteOrganization organization={data} />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Name, identifier, plan, and whether members need a second factor. */
function GeneralCard({ organization }: { organization: Organization }) {
  const { may } = useOrganization();
  const { user } = useSession();
  const { name, slug, plan, highestPlan, twoFactorRequired } = organization;
  const plans = PLANS.filter(
    (planName) => planName === plan || PLANS.indexOf(planName) <= PLANS.indexOf(highestPlan),
  );
  const form = useApiForm({
    values: { name, slug, plan, twoFactorRequired },
    submit: (values) =>
      api.patch('/v1/organization', {
        body: {
          ...(values.name !== name && { name: values.name.trim() }),
          ...(values.slug !== slug && { slug: values.slug }),
          ...(values.plan !== plan && { plan: values.plan }),
          ...(values.twoFactorRequired !== twoFactorRequired && {
            twoFactorRequired: values.twoFactorRequired,
          }),
        },
      }),
    onDone: async (changed) => {
      // The URL contains the organization, and so does all state in memory.
      if (changed.slug !== slug)
        return window.location.replace(`/dashboard/${changed.slug}/settings/general`);
      await refresh();
      form.reset({
        name: changed.name,
        slug,
        plan: changed.plan,
        twoFactorRequired: changed.twoFactorRequired,
      });
      notify('Settings saved');
    },
  });
  return (
    <Card title="General" isPadded>
      <Form
        form={form}
        action="Save changes"
        lacks={may('admin') ? undefined : 'Admins'}
        isSettings
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" required {...form.field('name')} />
          <TextField
            label="Identifier"
            hint="Part of the dashboard's address. Earlier addresses lead to the new one."
            required
            {...form.field('slug')}
          />
          {may('owner') && plans.length > 1 && (
            <SelectField
              label="Plan"
              hint="The operator of this server decides which plans you can choose."
              options={Object.fromEntries(plans.map((planName) => [planName, planName]))}
              {...form.field('plan')}
            />
          )}
        </div>
        <CheckField
          label="Require two-factor authentication"
          hint={`Members who sign in with a password need an authenticator app before they can do anything here.${
            user.twoFactorEnabled ? '' : ' You have none yet: set one up under Account first.'
          }`}
          {...form.field('twoFactorRequired')}
        />
      </Form>
    </Card>
  );
}

/** The sign-in methods. The operator configures them for the whole server. */
function SignInCard() {
  const { signIn, mail } = useSession();
  const stateOf = (value: string) => (
    <Status state={value === '' ? ['Off', 'neutral'] : [value, 'success']} />
  );
  return (
    <Card
      title="Sign-in"
      about="Set by the operator of this server, for all organizations"
      isPadded
    >
      <Facts
        facts={{
          'Single sign-on': stateOf(signIn.sso.map(({ name }) => name).join(', ')),
          'Mail for invitations and password resets': stateOf(mail ? 'On' : ''),
        }}
      />
    </Card>
  );
}

/** Deletes an organization with everything in it. */
function DeleteOrganization({ organization: { name, slug } }: { organization: Organization }) {
  const remove = async () => {
    await api.delete('/v1/organization', { query: { confirm: slug } });
    // None of its data may stay in memory, so the page is reloaded.
    queries.clear();
    window.location.assign('/dashboard');
  };
  const { data: usage } = useQuery(usageQuery(slug));
  const { used: sites = 0 } = usage?.sites ?? {};
  return (
    <DeleteCard kind="organization" name={name} identifier={slug} remove={remove}>
      {sites > 0 && `Its ${sites === 1 ? 'site goes' : `${sites} sites go`} offline at once. `}
      Sites with their hostnames and analytics, deployments, exports, conversations, keys, webhooks,
      memberships and the audit log are deleted with it. People keep their accounts. You cannot undo
      this.
    </DeleteCard>
  );
}

/** Creates another organization with its own sites, members and keys. */
export function NewOrganizationPage() {
  const { organizationCreation } = useSession();
  const { may } = useOrganization();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { name: '', slug: '' },
    submit: (values) =>
      api.post('/v1/organizations', {
        body: { name: values.name.trim(), ...(values.slug !== '' && { slug: values.slug }) },
      }),
    onDone: async ({ slug }) => {
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/$org', params: { org: slug } });
    },
  });
  return (
    <Page
      title="New organization"
      about="Has its own sites, members and keys, which other organizations cannot see"
    >
      {organizationCreation === 'members' ? (
        <Card className="max-w-xl" isPadded>
          <Form form={form} action="Create organization">
            <TextField
              label="Name"
              hint={
                may('owner')
                  ? 'It has the plan of this organization, and shares its limits with the others that you create.'
                  : 'It has the plan “free”, and shares its limits with the others that you create.'
              }
              required
              {...form.field('name')}
            />
            <TextField
              label="Identifier"
              hint="Part of the dashboard's address. Empty: derived from the name."
              {...form.field('slug')}
            />
          </Form>
        </Card>
      ) : (
        <Notice>
          Only the operator of this server creates organizations, with{' '}
          <code>docent organizations create</code>. Ask them.
        </Notice>
      )}
    </Page>
  );
}
