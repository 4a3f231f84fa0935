import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { refresh, useOrganization } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { calendarDay } from '../../ui/format.ts';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import { Card, Loaded, Notice, Page } from '../../ui/page.tsx';
import { Facts, RelativeTime, Status } from '../../ui/values.tsx';
import { SamlFields, samlProvider, samlValues } from '../access/saml-fields.tsx';
import { AllowedAddressesCard } from './allowed-addresses-card.tsx';
import { DirectoryCard, GroupRolesCard } from './directory-cards.tsx';

type SignIn = Schema<'OrganizationSignIn'>;

const SIGN_IN = '/v1/organization/sign-in';

/** How people of the organization sign in, and which directory sends them. */
export function OrganizationSignInPage() {
  const { slug: org } = useOrganization();
  const signIn = useQuery({
    queryKey: [org, 'sign-in'],
    queryFn: () => bodyOf(api.GET(SIGN_IN)),
  });
  const directory = useQuery({
    queryKey: [org, 'directory'],
    queryFn: () => bodyOf(api.GET('/v1/organization/directory')),
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

/** The provider of SAML: what it is, what it needs, and whether members must use it. */
function ProviderCard({ signIn }: { signIn: SignIn }) {
  const { name, may } = useOrganization();
  const { saml, signInUrl, callbackUrl, metadataUrl } = signIn;
  const [isOpen, setOpen] = useState(false);
  const remove = () =>
    confirmAction({
      title: 'Remove the provider',
      text: `Its settings are deleted, and the sessions that it began end. Members of ${name} sign in with their account again.`,
      action: 'Remove provider',
      run: () => api.PATCH(SIGN_IN, { body: { saml: null } }),
      done: 'The provider is removed',
      failed: 'The provider could not be removed',
    });
  return (
    <Card
      title="Single sign-on"
      about="People sign in with the identity provider of the organization (SAML 2.0)"
      action={
        may('owner') && (
          <span className="flex flex-wrap justify-end gap-1">
            <Button size="sm" onClick={() => setOpen(true)}>
              {saml ? 'Change provider' : 'Set up provider'}
            </Button>
            {saml && (
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
            State: <Status state={saml ? ['On', 'success'] : ['Off', 'neutral']} />,
            ...(saml && {
              Provider: saml.entityId,
              'Its sign-in address': saml.signInUrl,
              'Certificates until': calendarDay(new Date(saml.certificatesEndAt)),
              Changed: <RelativeTime at={saml.changedAt} />,
            }),
          }}
        />
        <p className="text-s text-muted">
          Enter these at the provider. The entity ID is also the address of the metadata; people
          open the sign-in link, or the tile of the provider.
        </p>
        <Facts
          facts={{
            'Reply URL (ACS)': <CopyField label="Reply URL" value={callbackUrl} />,
            'Entity ID': <CopyField label="Entity ID" value={metadataUrl} />,
            'Sign-in link': <CopyField label="Sign-in link" value={signInUrl} />,
          }}
        />
        {saml && <Requirement required={signIn.required} />}
      </div>
      <Dialog
        title={saml ? 'Change the provider' : 'Set up the provider'}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <ProviderForm saml={saml} onDone={() => setOpen(false)} />
      </Dialog>
    </Card>
  );
}

function ProviderForm({ saml, onDone }: { saml: SignIn['saml']; onDone: () => void }) {
  const form = useApiForm({
    values: samlValues(saml),
    submit: (values) => bodyOf(api.PATCH(SIGN_IN, { body: { saml: samlProvider(values) } })),
    onDone: async () => {
      await refresh();
      onDone();
      notify('The provider is saved');
    },
  });
  return (
    <Form form={form} action="Save provider">
      {saml && <Notice>A change ends the sessions that the provider began.</Notice>}
      <SamlFields field={form.field} noGroups="groups of the provider give no roles" />
    </Form>
  );
}

/** Whether members must use the provider. */
function Requirement({ required }: Pick<SignIn, 'required'>) {
  const { may } = useOrganization();
  const send = (next: boolean) => api.PATCH(SIGN_IN, { body: { required: next } });
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
