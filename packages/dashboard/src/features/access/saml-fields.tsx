import { TextAreaField, TextField } from '../../ui/field.tsx';

type Attribute = 'groupsAttribute' | 'emailAttribute';
type Values = Record<'metadata' | 'entityId' | 'signInUrl' | 'certificates' | Attribute, string>;
type Provider = Pick<Values, 'entityId' | 'signInUrl'> & Record<Attribute, string | null>;

/** The values of a form about a provider of SAML, as the API returns it. */
export const samlValues = (saml: Provider | null): Values => ({
  metadata: '',
  entityId: saml?.entityId ?? '',
  signInUrl: saml?.signInUrl ?? '',
  certificates: '',
  groupsAttribute: saml?.groupsAttribute ?? '',
  emailAttribute: saml?.emailAttribute ?? '',
});

/** A provider of SAML, as the API takes it: what is empty stays. */
export function samlProvider({ metadata, entityId, signInUrl, certificates, ...rest }: Values) {
  const place = {
    ...(entityId && { entityId }),
    ...(signInUrl && { signInUrl }),
    ...(certificates.trim() && { certificates: certificatesIn(certificates) }),
  };
  return {
    ...(metadata.trim() === '' ? place : { metadata }),
    groupsAttribute: rest.groupsAttribute || null,
    emailAttribute: rest.emailAttribute || null,
  };
}

const certificatesIn = (text: string) =>
  text.split(/(?<=-----END CERTIFICATE-----)\s*/).filter(Boolean);

interface SamlFieldsProps {
  /** Returns the props of a field. */
  field: (name: keyof Values) => Record<string, unknown>;
  /** What follows if there is no attribute with groups. */
  noGroups: string;
}

/** The fields for a provider of SAML. */
export function SamlFields({ field, noGroups }: SamlFieldsProps) {
  return (
    <>
      <TextAreaField
        label="Metadata of the provider"
        hint="XML. It replaces the three fields below."
        rows={4}
        {...field('metadata')}
      />
      <TextField label="Entity ID" {...field('entityId')} />
      <TextField label="Sign-in address" type="url" {...field('signInUrl')} />
      <TextAreaField
        label="Certificates"
        hint="As PEM; several while the provider changes its key. Empty: keep the stored ones."
        rows={4}
        {...field('certificates')}
      />
      <TextField
        label="Attribute with groups"
        hint={`Empty: ${noGroups}.`}
        {...field('groupsAttribute')}
      />
      <TextField
        label="Attribute with the email address"
        hint="Empty: the one with a usual name, such as email or mail."
        {...field('emailAttribute')}
      />
    </>
  );
}
