import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import type {
  SamlSettings,
  StoredMethod,
  StoredMethods,
} from '../../ports/readers/reader-tables.ts';
import { requireEncryption } from './provider-settings.ts';

type Place = Pick<SamlSettings, 'entityId' | 'signInUrl' | 'certificates'>;

type Read = Omit<SamlSettings, keyof Place> & { [Name in keyof Place]?: Place[Name] | undefined };

/** An owner's settings: the place of the provider, or its metadata; what is absent stays. */
export type SamlInput = Read & { metadata?: string | undefined };
/** The same, after the metadata was read. */
type ReadSamlInput = Read & { isMetadata: boolean };

/** Reads the metadata of an owner's settings. @throws DocentError `invalid_request` */
export async function readSamlInput({ metadata, ...input }: SamlInput): Promise<ReadSamlInput> {
  if (metadata === undefined) return { ...input, isMetadata: false };
  return { ...input, ...(await readMetadata(metadata)), isMetadata: true };
}

const MIN_RSA_BITS = 2048;
const MAX_CERTIFICATES = 10;
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** What is read of metadata, as the library parses it. */
const metadataDocument = z.object({
  EntityDescriptor: z.object({
    $: z.object({ entityID: z.string().min(1).max(1024) }),
    IDPSSODescriptor: z.tuple([
      z.object({
        KeyDescriptor: z.array(
          z.object({
            $: z.object({ use: z.string().optional() }).optional(),
            KeyInfo: z.array(
              z.object({
                X509Data: z.array(
                  z.object({ X509Certificate: z.array(z.object({ _: z.string() })) }),
                ),
              }),
            ),
          }),
        ),
        SingleSignOnService: z.array(
          z.object({
            $: z.object({
              Binding: z.string(),
              Location: z.url({ protocol: /^https?$/ }).max(2000),
            }),
          }),
        ),
      }),
    ]),
  }),
});

/**
 * Returns the settings of a provider of SAML as they are stored; unchanged if nothing changes, so
 * that no session ends.
 * @throws DocentError `invalid_request` naming the field
 */
export function storedSaml(
  { entityId, signInUrl, certificates, isMetadata, ...settings }: ReadSamlInput,
  before: StoredMethods['saml'],
  stamp: StoredMethod,
): NonNullable<StoredMethods['saml']> {
  const place = {
    entityId: entityId ?? before?.entityId,
    signInUrl: signInUrl ?? before?.signInUrl,
    certificates: certificates ?? before?.certificates,
  };
  if (!place.entityId || !place.signInUrl || !place.certificates)
    throw invalid(
      'metadata',
      'Send the metadata of the provider, or its entityId, signInUrl and certificates.',
    );
  const field = isMetadata ? 'metadata' : 'certificates';
  const next: SamlSettings = {
    ...settings,
    entityId: place.entityId,
    signInUrl: place.signInUrl,
    certificates: place.certificates.map((text) => readCertificate(text, field)),
  };
  requireEncryption('saml', { signInUrl: next.signInUrl, logoutUrl: next.logoutUrl });
  const { generation: _, changedAt: __, ...former } = before ?? {};
  return before && isDeepStrictEqual(former, next) ? before : { ...next, ...stamp };
}

/**
 * Returns whether a text may be parsed as XML. Declarations of types and entities, with which a few
 * bytes become gigabytes or the content of a file, have no place in SAML.
 */
export function isPlainXml(text: string): boolean {
  return !text.includes('<!DOCTYPE') && !text.includes('<!ENTITY');
}

/** Reads the metadata of an identity provider (SAML V2.0 Metadata §2.4.3). */
async function readMetadata(text: string): Promise<Place> {
  const { parseStringPromise, processors } = await import('xml2js');
  const options = { tagNameProcessors: [processors.stripPrefix], explicitCharkey: true };
  const document: unknown = isPlainXml(text)
    ? await parseStringPromise(text, options).catch(() => undefined)
    : undefined;
  if (!document)
    throw invalid(
      'metadata',
      'Must be the metadata of a provider: an XML document without DOCTYPE.',
    );
  const result = metadataDocument.safeParse(document);
  if (!result.success)
    throw invalid(
      'metadata',
      'Must describe one identity provider (EntityDescriptor with entityID and IDPSSODescriptor), with its certificates.',
    );
  const [{ SingleSignOnService: services, KeyDescriptor: keys }] =
    result.data.EntityDescriptor.IDPSSODescriptor;
  const service = services.find(({ $ }) => $.Binding === REDIRECT_BINDING);
  if (!service)
    throw invalid(
      'metadata',
      'The provider names no SingleSignOnService with the binding HTTP-Redirect.',
    );
  const certificates = keys
    .filter(({ $ }) => $?.use !== 'encryption')
    .flatMap(({ KeyInfo }) => KeyInfo)
    .flatMap(({ X509Data }) => X509Data)
    .flatMap(({ X509Certificate: texts }) => texts.map(({ _ }) => _));
  const entityId = result.data.EntityDescriptor.$.entityID;
  return {
    entityId,
    signInUrl: service.$.Location,
    certificates: [...new Set(certificates)].slice(0, MAX_CERTIFICATES),
  };
}

/** Reads a certificate, as PEM or as its Base64 alone. @returns it as PEM */
function readCertificate(text: string, field: string): string {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s/g, '');
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType === 'rsa' && Number(asymmetricKeyDetails?.modulusLength) >= MIN_RSA_BITS)
      return certificate.toString();
  } catch {
    // Refused below.
  }
  throw invalid(
    field,
    `A certificate must be X.509, as PEM, with an RSA key of at least ${MIN_RSA_BITS} bits.`,
  );
}

function invalid(field: string, message: string): DocentError {
  return new DocentError('invalid_request', message, {
    errors: [{ path: `/saml/${field}`, message }],
  });
}
