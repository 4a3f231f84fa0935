import { api, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { CheckField, TextAreaField } from '../../ui/field.tsx';
import { linesOf } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card } from '../../ui/page.tsx';

type SignIn = Schema<'OrganizationSignIn'>;

/** The addresses from which members come in. */
export function AllowedAddressesCard({ signIn }: { signIn: SignIn }) {
  const { may } = useOrganization();
  const valuesOf = ({ allowedAddresses, limitsKeys }: SignIn) => ({
    allowedAddresses: allowedAddresses.join('\n'),
    limitsKeys,
  });
  const form = useApiForm({
    values: valuesOf(signIn),
    submit: ({ allowedAddresses, limitsKeys }) =>
      api.patch('/v1/organization/sign-in', {
        body: { allowedAddresses: linesOf(allowedAddresses), limitsKeys },
      }),
    fieldOf: (pointer) => pointer.split('/')[1] ?? '',
    onDone: (next) => {
      form.reset(valuesOf(next));
      notify('Addresses saved');
      return refresh();
    },
  });
  const { clientAddress } = signIn;
  return (
    <Card
      title="Allowed addresses"
      about="From which members use the dashboard and the API"
      isPadded
    >
      <Form
        form={form}
        action="Save addresses"
        lacks={may('owner') ? undefined : 'Owners'}
        isSettings
      >
        <TextAreaField
          label="Addresses and ranges"
          hint={`One per line, such as 192.0.2.0/24 or 2001:db8::/32. Empty: every address.${clientAddress === null ? '' : ` You come from ${clientAddress}.`} Readers of sites and the directory are not affected.`}
          rows={4}
          spellCheck={false}
          {...form.field('allowedAddresses')}
        />
        <CheckField
          label="Admin keys too"
          hint="Keys for the assistant and search are public, and work from everywhere."
          {...form.field('limitsKeys')}
        />
      </Form>
    </Card>
  );
}
