import { CodeBlock } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';

interface Provider {
  issuer: string;
  clientId: string;
  scopes: string[];
  groupsClaim: string | null;
  groupsDelimiter: string | null;
  emailDomains: string[];
}
type Values = Record<keyof Provider | 'clientSecret', string>;

/** The values of a form about a provider of OpenID Connect, as the API returns it. */
export const oidcValues = (oidc: Provider | null): Values => ({
  issuer: oidc?.issuer ?? '',
  clientId: oidc?.clientId ?? '',
  clientSecret: '',
  scopes: oidc?.scopes.join(' ') ?? 'openid profile email',
  groupsClaim: oidc?.groupsClaim ?? '',
  groupsDelimiter: oidc?.groupsDelimiter ?? '',
  emailDomains: oidc?.emailDomains.join(' ') ?? '',
});

/** A provider of OpenID Connect, as the API takes it. */
export function oidcProvider({ clientSecret, ...values }: Values) {
  return {
    ...values,
    ...secretOf(clientSecret),
    scopes: listOf(values.scopes),
    emailDomains: listOf(values.emailDomains),
    groupsClaim: values.groupsClaim || null,
    groupsDelimiter: values.groupsDelimiter || null,
  };
}

export const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** The stored secret is never shown; an empty field keeps it. */
export const secretOf = (clientSecret: string) => (clientSecret === '' ? {} : { clientSecret });

interface OidcFieldsProps {
  /** Returns the props of a field. */
  field: (name: keyof Values) => Record<string, unknown>;
  /** Whether a secret is stored. */
  isStored: boolean;
  /** What follows if there is no claim with groups. */
  noGroups: string;
}

/** The fields for a provider of OpenID Connect. */
export function OidcFields({ field, isStored, noGroups }: OidcFieldsProps) {
  return (
    <>
      <TextField label="Issuer" placeholder="https://acme.okta.com" required {...field('issuer')} />
      <TextField label="Client ID" required {...field('clientId')} />
      <SecretField isStored={isStored} {...field('clientSecret')} />
      <TextField label="Scopes" required {...field('scopes')} />
      <TextField
        label="Claim with groups"
        hint={`Such as groups, roles or realm_access.roles. Empty: ${noGroups}.`}
        {...field('groupsClaim')}
      />
      <TextField
        label="Delimiter of groups"
        hint="If the claim is a text."
        {...field('groupsDelimiter')}
      />
      <EmailDomainsField {...field('emailDomains')} />
    </>
  );
}

export function SecretField({
  isStored,
  ...field
}: { isStored: boolean } & Record<string, unknown>) {
  return (
    <TextField
      label="Client secret"
      type="password"
      hint={isStored ? 'Empty: keep the stored one.' : 'Empty: the client has none.'}
      {...field}
    />
  );
}

export function EmailDomainsField(field: Record<string, unknown>) {
  return (
    <TextField
      label="Domains of email addresses"
      hint="Empty: everybody whom the provider knows."
      placeholder="acme.com"
      {...field}
    />
  );
}

/** The address that a provider leads back to. */
export function CallbackAddress({ address }: { address: string }) {
  return (
    <>
      <p className="text-s text-muted">
        Register a web application at the provider, with this redirect address:
      </p>
      <CodeBlock label="Copy redirect address" code={address} />
    </>
  );
}
