import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { CheckField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { notify, useAction } from '../../ui/overlays/notify.ts';
import {
  CallbackAddress,
  EmailDomainsField,
  listOf,
  OidcFields,
  oidcProvider,
  oidcValues,
  SecretField,
  secretOf,
} from './oidc-fields.tsx';
import { SamlFields, samlProvider, samlValues } from './saml-fields.tsx';

type Access = Schema<'SiteAccess'>;
export type Method = 'password' | 'members' | 'mail' | 'oidc' | 'saml' | 'oauth' | 'jwt';

export const ACCESS = '/v1/projects/{projectId}/access';

/** The ways to sign in, in the order in which they are offered. */
export const METHODS: Record<
  Method,
  { title: string; about: string; place?: (access: Access) => string }
> = {
  password: { title: 'Password', about: 'All readers share one.' },
  members: { title: 'Members', about: 'Members of the organization, with their accounts.' },
  mail: {
    title: 'Links by mail',
    about: 'Readers and email domains that you name, without a password.',
  },
  oidc: {
    title: 'OpenID Connect',
    about: 'Entra ID, Okta, Google, Auth0, Keycloak and others.',
    place: ({ oidc }) => oidc?.issuer ?? '',
  },
  saml: {
    title: 'SAML 2.0',
    about: 'Entra ID, Okta, Google, AD FS, Keycloak and others.',
    place: ({ saml }) =>
      saml ? `${saml.entityId}, certificate until ${saml.certificatesEndAt.slice(0, 10)}` : '',
  },
  oauth: {
    title: 'OAuth 2',
    about: 'A server of your own without discovery.',
    place: ({ oauth }) => oauth?.authorizationUrl ?? '',
  },
  jwt: {
    title: 'Tokens (JWT)',
    about: 'A page of your application signs its users in.',
    place: ({ jwt }) => jwt?.loginUrl ?? 'Readers come with a token.',
  },
};

interface MethodProps {
  access: Access;
  projectId: string;
  onDone: () => void;
}

/** Sets up a way to sign in, or changes it. */
export function MethodForm({ method, ...props }: MethodProps & { method: Method }) {
  if (method === 'password') return <PasswordForm {...props} />;
  if (method === 'members' || method === 'mail') return <SwitchForm method={method} {...props} />;
  if (method === 'jwt') return <TokenForm {...props} />;
  if (method === 'saml') return <SamlForm {...props} />;
  return method === 'oidc' ? <OidcForm {...props} /> : <OAuthForm {...props} />;
}

const paramsOf = ({ projectId }: MethodProps) => ({ path: { projectId } });

/** A form that changes the access. */
function useAccessForm<Values extends Record<string, string | boolean>>(
  { onDone }: MethodProps,
  values: Values,
  submit: (values: Values) => Promise<unknown>,
) {
  return useApiForm({
    values,
    submit,
    onDone: async () => {
      await refresh();
      onDone();
      notify('The way to sign in is saved');
    },
  });
}

function PasswordForm(props: MethodProps) {
  const form = useAccessForm(props, { password: '' }, (password) =>
    api.patch(ACCESS, { ...paramsOf(props), body: { password } }),
  );
  return (
    <Form form={form} action="Save password">
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 8 characters. Another one ends the sessions of the former one."
        minLength={8}
        required
        {...form.field('password')}
      />
    </Form>
  );
}

const SWITCHES = {
  members: [
    'Let members sign in',
    'Every member of the organization can read the site with the account of this dashboard, as long as they are a member.',
  ],
  mail: [
    'Send links by mail',
    'Readers enter their email address and get a link, which works once within 15 minutes. It is sent only to the addresses and domains under Named readers.',
  ],
} as const;

/** A way to sign in that has no settings. */
function SwitchForm({ method, ...props }: MethodProps & { method: keyof typeof SWITCHES }) {
  const [action, about] = SWITCHES[method];
  const form = useAccessForm(props, {}, () =>
    api.patch(ACCESS, { ...paramsOf(props), body: { [method]: {} } }),
  );
  return (
    <Form form={form} action={action}>
      <p className="text-s text-muted">{about}</p>
    </Form>
  );
}

function OidcForm(props: MethodProps) {
  const { oidc, addresses } = props.access;
  const values = {
    ...oidcValues(oidc),
    informationUrl: oidc?.informationUrl ?? '',
    logoutUrl: oidc?.logoutUrl ?? '',
    endsSession: oidc?.endsSession ?? false,
  };
  const form = useAccessForm(
    props,
    values,
    ({ informationUrl, logoutUrl, endsSession, ...provider }) =>
      api.patch(ACCESS, {
        ...paramsOf(props),
        body: {
          oidc: {
            ...oidcProvider(provider),
            endsSession,
            informationUrl: informationUrl || null,
            logoutUrl: logoutUrl || null,
          },
        },
      }),
  );
  return (
    <Form form={form} action="Save provider">
      <CallbackAddress address={addresses.oauthCallback} />
      <OidcFields
        field={form.field}
        isStored={oidc?.hasSecret === true}
        noGroups="readers have no groups"
      />
      <TextField
        label="Information address"
        hint="Returns groups and content of the reader for an access token. Optional."
        type="url"
        {...form.field('informationUrl')}
      />
      <CheckField
        label="Sign readers out of the provider too"
        hint={`It must know this address to lead back to: ${addresses.logout}`}
        {...form.field('endsSession')}
      />
      <LogoutField {...form.field('logoutUrl')} />
    </Form>
  );
}

function SamlForm(props: MethodProps) {
  const { saml, addresses } = props.access;
  const values = {
    ...samlValues(saml),
    certificates: saml?.certificates.join('\n') ?? '',
    emailDomains: saml?.emailDomains.join(' ') ?? '',
    logoutUrl: saml?.logoutUrl ?? '',
  };
  const form = useAccessForm(props, values, ({ emailDomains, logoutUrl, ...provider }) =>
    api.patch(ACCESS, {
      ...paramsOf(props),
      body: {
        saml: {
          ...samlProvider(provider),
          emailDomains: listOf(emailDomains),
          logoutUrl: logoutUrl || null,
        },
      },
    }),
  );
  return (
    <Form form={form} action="Save provider">
      <p className="text-s text-muted">
        Register the site at the provider, with signed assertions, this address for them (ACS), and
        this entity ID, which is also the address of the metadata:
      </p>
      <CodeBlock label="Copy address for assertions" code={addresses.samlCallback} />
      <CodeBlock label="Copy entity ID" code={addresses.samlMetadata} />
      <SamlFields field={form.field} noGroups="readers have no groups" />
      <EmailDomainsField {...form.field('emailDomains')} />
      <LogoutField {...form.field('logoutUrl')} />
    </Form>
  );
}

function OAuthForm(props: MethodProps) {
  const { oauth, addresses } = props.access;
  const values = {
    authorizationUrl: oauth?.authorizationUrl ?? '',
    tokenUrl: oauth?.tokenUrl ?? '',
    informationUrl: oauth?.informationUrl ?? '',
    clientId: oauth?.clientId ?? '',
    clientSecret: '',
    scopes: oauth?.scopes.join(' ') ?? '',
    logoutUrl: oauth?.logoutUrl ?? '',
  };
  const form = useAccessForm(props, values, ({ clientSecret, ...sent }) =>
    api.patch(ACCESS, {
      ...paramsOf(props),
      body: {
        oauth: {
          ...sent,
          ...secretOf(clientSecret),
          scopes: listOf(sent.scopes),
          logoutUrl: sent.logoutUrl || null,
          parameters: oauth?.parameters ?? {},
        },
      },
    }),
  );
  return (
    <Form form={form} action="Save server">
      <CallbackAddress address={addresses.oauthCallback} />
      <TextField
        label="Authorization address"
        type="url"
        required
        {...form.field('authorizationUrl')}
      />
      <TextField label="Token address" type="url" required {...form.field('tokenUrl')} />
      <TextField
        label="Information address"
        hint="Returns who the reader is, with groups and content, for an access token."
        type="url"
        required
        {...form.field('informationUrl')}
      />
      <TextField label="Client ID" required {...form.field('clientId')} />
      <SecretField isStored={oauth?.hasSecret === true} {...form.field('clientSecret')} />
      <TextField label="Scopes" {...form.field('scopes')} />
      <LogoutField {...form.field('logoutUrl')} />
    </Form>
  );
}

function TokenForm(props: MethodProps) {
  const { access, projectId } = props;
  const { jwt, addresses } = access;
  const [privateKey, setPrivateKey] = useState<string>();
  const values = {
    loginUrl: jwt?.loginUrl ?? '',
    publicKey: jwt?.publicKey ?? '',
    jwksUrl: jwt?.jwksUrl ?? '',
  };
  const form = useAccessForm(props, values, ({ loginUrl, publicKey, jwksUrl }) =>
    api.patch(ACCESS, {
      ...paramsOf(props),
      body: {
        jwt: {
          loginUrl: loginUrl || null,
          ...(jwksUrl ? { jwksUrl } : publicKey && { publicKey }),
        },
      },
    }),
  );
  const create = useAction({
    run: () => api.post(`${ACCESS}/jwt-key`, { path: { projectId } }),
    done: (created) => {
      setPrivateKey(created.privateKey);
      form.setValue('publicKey', created.access.jwt?.publicKey ?? '');
      void refresh();
    },
    failed: 'The key could not be created',
  });
  return (
    <Form form={form} action="Save tokens">
      <p className="text-s text-muted">
        Your page sends readers to this address, with the token after #:
      </p>
      <CodeBlock label="Copy address for tokens" code={addresses.jwtCallback} />
      <TextField
        label="Sign-in page"
        hint="Readers are sent there, with ?redirect=. Empty: they come from there by themselves."
        type="url"
        {...form.field('loginUrl')}
      />
      {privateKey === undefined ? (
        <div>
          <Button size="sm" isBusy={create.isPending} onClick={() => create.mutate()}>
            {jwt?.publicKey ? 'Replace the key pair' : 'Create a key pair'}
          </Button>
        </div>
      ) : (
        <>
          <p className="text-s text-muted">
            Sign tokens with this private key. It is shown only once:
          </p>
          <CodeBlock label="Copy private key" code={privateKey} />
        </>
      )}
      <TextAreaField
        label="Public key"
        hint="Ed25519, P-256 or RSA, as PEM or JWK."
        rows={4}
        {...form.field('publicKey')}
      />
      <TextField
        label="Address of a set of keys"
        hint="In place of a public key."
        type="url"
        {...form.field('jwksUrl')}
      />
    </Form>
  );
}

function LogoutField(field: Record<string, unknown>) {
  return (
    <TextField
      label="Sign-out address"
      hint="Where readers go after they signed out of the site. Optional."
      type="url"
      {...field}
    />
  );
}
