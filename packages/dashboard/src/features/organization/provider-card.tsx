import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { calendarDay } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, Notice } from '../../ui/page.tsx';
import { Facts, RelativeTime, Status } from '../../ui/values.tsx';
import { CallbackAddress, OidcFields, oidcProvider, oidcValues } from '../access/oidc-fields.tsx';
import { SamlFields, samlProvider, samlValues } from '../access/saml-fields.tsx';

type SignIn = Schema<'OrganizationSignIn'>;
type Body = NonNullable<Parameters<typeof api.patch<'/v1/organization/sign-in'>>[1]>['body'];

const patch = (body: Body) => api.patch('/v1/organization/sign-in', { body });

/** The identity provider: what it is, what it needs, and whether members must use it. */
export function ProviderCard({ signIn }: { signIn: SignIn }) {
  const { name, may } = useOrganization();
  const { saml, oidc, signInUrl, callbackUrl, metadataUrl, redirectUrl } = signIn;
  const hasProvider = saml !== null || oidc !== null;
  const [isOpen, setOpen] = useState(false);
  const remove = () =>
    confirmAction({
      title: 'Remove the provider',
      text: `Its settings are deleted, and the sessions that it began end. Members of ${name} sign in with their account again.`,
      action: 'Remove provider',
      run: () => patch({ saml: null, oidc: null }),
      done: 'The provider is removed',
      failed: 'The provider could not be removed',
    });
  return (
    <Card
      title="Single sign-on"
      about="People sign in with the identity provider of the organization"
      action={
        may('owner') && (
          <span className="flex flex-wrap justify-end gap-1">
            <Button size="sm" onClick={() => setOpen(true)}>
              {hasProvider ? 'Change provider' : 'Set up provider'}
            </Button>
            {hasProvider && (
              <Button size="sm" onClick={remove}>
                Remove provider
              </Button>
            )}
          </span>
        )
      }
      isPadded
    >
      <div className="flex flex-col gap-5">
        <Facts
          facts={{
            State: <Status state={hasProvider ? ['On', 'success'] : ['Off', 'neutral']} />,
            ...(oidc && {
              Protocol: 'OpenID Connect',
              Issuer: oidc.issuer,
              'Client ID': oidc.clientId,
              'Domains of email addresses': oidc.emailDomains.join(', ') || 'All',
              Changed: <RelativeTime at={oidc.changedAt} />,
            }),
            ...(saml && {
              Protocol: 'SAML 2.0',
              Provider: saml.entityId,
              'Its sign-in address': saml.signInUrl,
              'Certificates until': calendarDay(new Date(saml.certificatesEndAt)),
              Changed: <RelativeTime at={saml.changedAt} />,
            }),
          }}
        />
        <p className="text-s text-muted">
          Enter these at the provider.{' '}
          {oidc === null && 'The entity ID is also the address of the metadata. '}
          People open the sign-in link, or the tile of the provider.
        </p>
        <Facts
          facts={{
            ...(oidc === null && {
              'Reply URL (SAML)': <CopyField label="Reply URL" value={callbackUrl} />,
              'Entity ID (SAML)': <CopyField label="Entity ID" value={metadataUrl} />,
            }),
            ...(saml === null && {
              'Redirect URL (OpenID)': <CopyField label="Redirect URL" value={redirectUrl} />,
            }),
            'Sign-in link': <CopyField label="Sign-in link" value={signInUrl} />,
          }}
        />
        {hasProvider && <Requirement required={signIn.required} />}
      </div>
      <Dialog
        title={hasProvider ? 'Change the provider' : 'Set up the provider'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ProviderForm signIn={signIn} onDone={() => setOpen(false)} />
      </Dialog>
    </Card>
  );
}

interface ProviderFormProps {
  signIn: SignIn;
  onDone: () => void;
}

const PROTOCOLS = { saml: 'SAML 2.0', oidc: 'OpenID Connect' };

/** Sets up a provider of one of the protocols, in place of the former one. */
function ProviderForm({ signIn, ...props }: ProviderFormProps) {
  const [protocol, setProtocol] = useState(signIn.oidc ? 'oidc' : 'saml');
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Protocol"
        options={PROTOCOLS}
        value={protocol}
        onChange={({ target }) => setProtocol(target.value)}
      />
      {(signIn.saml || signIn.oidc) && (
        <Notice>A change ends the sessions that the provider began.</Notice>
      )}
      {protocol === 'saml' ? (
        <SamlForm signIn={signIn} {...props} />
      ) : (
        <OidcForm signIn={signIn} {...props} />
      )}
    </div>
  );
}

function useProviderForm<Values extends Record<string, string | boolean>>(
  { onDone }: ProviderFormProps,
  values: Values,
  bodyFrom: (values: Values) => Parameters<typeof patch>[0],
) {
  return useApiForm({
    values,
    submit: (sent) => patch(bodyFrom(sent)),
    fieldOf: (pointer) => pointer.split('/')[2] ?? '',
    onDone: async () => {
      await refresh();
      onDone();
      notify('The provider is saved');
    },
  });
}

function SamlForm(props: ProviderFormProps) {
  const form = useProviderForm(props, samlValues(props.signIn.saml), (values) => ({
    saml: samlProvider(values),
    oidc: null,
  }));
  return (
    <Form form={form} action="Save provider">
      <SamlFields field={form.field} noGroups="groups of the provider give no roles" />
    </Form>
  );
}

function OidcForm(props: ProviderFormProps) {
  const { oidc, redirectUrl } = props.signIn;
  const values = { ...oidcValues(oidc), trustsEmail: oidc?.trustsEmail ?? false };
  const form = useProviderForm(props, values, ({ trustsEmail, ...provider }) => ({
    oidc: { ...oidcProvider(provider), trustsEmail },
    saml: null,
  }));
  return (
    <Form form={form} action="Save provider">
      <CallbackAddress address={redirectUrl} />
      <OidcFields
        field={form.field}
        isStored={oidc?.hasSecret === true}
        noGroups="groups of the provider give no roles"
      />
      <CheckField
        label="Trust its email addresses"
        hint="For a provider of your own that does not call them verified, such as Microsoft Entra ID."
        {...form.field('trustsEmail')}
      />
    </Form>
  );
}

/** Whether members must use the provider. */
function Requirement({ required }: Pick<SignIn, 'required'>) {
  const { may } = useOrganization();
  const send = (next: boolean) => patch({ required: next });
  const allow = useAction({
    run: () => send(false),
    done: 'Members come in with their account again',
    failed: 'The requirement could not be changed',
  });
  const require = () =>
    confirmAction({
      title: 'Require single sign-on',
      text: 'Members who signed in with their account are refused until they come in through the provider. Keys are not affected.',
      action: 'Require single sign-on',
      run: () => send(true),
      done: 'Single sign-on is required',
      failed: 'Single sign-on could not be required',
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="flex max-w-xl flex-col gap-1 text-s">
        <Status state={required ? ['Required', 'success'] : ['Not required', 'neutral']} />
        <p className="text-muted">
          {required
            ? 'Members come in through the provider alone. Owners also come in with their account and a second factor, for the day when the provider is down.'
            : 'Members also come in with their account. To require the provider, sign in through it once, and turn on two-factor authentication in your account: it is the way in for owners when the provider is down.'}
        </p>
      </div>
      {may('owner') && (
        <Button isBusy={allow.isPending} onClick={() => (required ? allow.mutate() : require())}>
          {required ? 'Allow accounts' : 'Require single sign-on'}
        </Button>
      )}
    </div>
  );
}
