import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { PLANS } from '../../../core/access/may.ts';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { useOrganisation, useSession } from '../../api/current.ts';
import { sessionQuery } from '../../api/session.ts';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

/** Name, identifier, plan, and whether members need a second factor. */
export function GeneralCard({ organisation }: { organisation: Schema<'Organisation'> }) {
  const { may } = useOrganisation();
  const { user } = useSession();
  const queries = useQueryClient();
  const { name, slug, plan, highestPlan, twoFactorRequired } = organisation;
  const plans = PLANS.filter((one) => one === plan || PLANS.indexOf(one) <= PLANS.indexOf(highestPlan));
  const form = useApiForm({
    values: { name, slug, plan, twoFactorRequired },
    submit: (values) =>
      bodyOf(
        api.PATCH('/v1/organisation', {
          body: {
            ...(values.name !== name && { name: values.name.trim() }),
            ...(values.slug !== slug && { slug: values.slug }),
            ...(values.plan !== plan && { plan: values.plan }),
            ...(values.twoFactorRequired !== twoFactorRequired && { twoFactorRequired: values.twoFactorRequired }),
          },
        }),
      ),
    onDone: async (changed) => {
      // The URL contains the organization, and so does all state in memory.
      if (changed.slug !== slug) return window.location.replace(`/dashboard/${changed.slug}/settings/general`);
      await queries.invalidateQueries(sessionQuery);
      queries.setQueryData(organisationQuery(slug).queryKey, changed);
      form.reset({ name: changed.name, slug, plan: changed.plan, twoFactorRequired: changed.twoFactorRequired });
      notify('Settings saved');
    },
  });
  return (
    <Card title="General" isPadded>
      <Form form={form} action="Save changes" lacks={may('admin') ? undefined : 'Admins'} isSettings>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Name" required {...form.field('name')} />
          <TextField
            label="Identifier"
            hint="Part of the dashboard's address. Earlier addresses stop working."
            required
            {...form.field('slug')}
          />
          {may('owner') && plans.length > 1 && (
            <SelectField
              label="Plan"
              hint="The operator of this server decides which plans you can choose."
              {...form.field('plan')}
            >
              {plans.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </SelectField>
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

/** Queries about the organization itself. */
export function organisationQuery(org: string) {
  return queryOptions({ queryKey: [org, 'organisation'], queryFn: () => bodyOf(api.GET('/v1/organisation')) });
}
