import { randomBytes } from 'node:crypto';
import type { SAML } from '@node-saml/node-saml';
import * as z from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { isPlainXml } from '../access/saml-settings.ts';
import { type Claims, contentOf, nameOf, refusedSignIn, requireDomain } from './claims.ts';
import { readUserObject } from './user-object.ts';

type Settings = NonNullable<StoredMethods['saml']>;

/** What a site is for a provider of SAML. */
export interface SamlService {
  /** How the site names itself: the address of its metadata. */
  entityId: string;
  /** Where assertions are sent. */
  callbackUrl: string;
}

const MAX_RESPONSE_BYTES = 128 * 1024;
/** How far the clocks of servers may differ. */
const SKEW_MS = 60_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** A signature with it could be made for another assertion. */
const SHA1 = /xmldsig#(?:rsa-|dsa-)?sha1["']/;

const text = z.object({ _: z.string() });
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** What must be in a signed assertion (SAML V2.0 Profiles §4.1.4.2), as the library parses it. */
const signedAssertion = z.object({
  Assertion: z.object({
    Issuer: z.tuple([text]),
    Subject: z.tuple([
      z.object({
        NameID: z.tuple([text]),
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.string() }),
            SubjectConfirmationData: z
              .tuple([
                z.object({
                  $: z.object({
                    Recipient: z.string().optional(),
                    InResponseTo: z.string().optional(),
                    NotBefore: time.optional(),
                    NotOnOrAfter: time.optional(),
                  }),
                }),
              ])
              .optional(),
          }),
        ),
      }),
    ]),
    Conditions: z.tuple([
      z.object({
        $: z.object({ NotBefore: time.optional(), NotOnOrAfter: time.optional() }).optional(),
        AudienceRestriction: z.array(z.object({ Audience: z.array(text) })).min(1),
      }),
    ]),
    AuthnStatement: z
      .array(z.object({ $: z.object({ SessionNotOnOrAfter: time.optional() }) }))
      .min(1),
  }),
});
type Assertion = z.infer<typeof signedAssertion>['Assertion'];

/** Attributes of a person, by the names that providers usually give them. */
const ATTRIBUTES = {
  email: [
    'email',
    'mail',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
  ],
  firstName: [
    'firstName',
    'givenName',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
    'urn:oid:2.5.4.42',
  ],
  lastName: [
    'lastName',
    'sn',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
    'urn:oid:2.5.4.4',
  ],
  name: [
    'displayName',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
  ],
};

/** Returns the metadata of a site for its provider (SAML V2.0 Metadata). */
export async function samlMetadata(service: SamlService): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml');
  return generateServiceProviderMetadata({
    issuer: service.entityId,
    callbackUrl: service.callbackUrl,
    wantAssertionsSigned: true,
    identifierFormat: null,
  });
}

/**
 * Begins a sign-in. @param relayState what the provider repeats beside its answer @returns where to
 * send the browser, and the id of the request, which the answer must name
 */
export async function beginSamlSignIn(
  settings: Settings,
  service: SamlService,
  relayState = '',
): Promise<{ address: string; state: string }> {
  const requestId = `_${randomBytes(20).toString('hex')}`;
  const saml = await libraryOf(settings, service, requestId);
  return { address: await saml.getAuthorizeUrlAsync(relayState, undefined, {}), state: requestId };
}

/** A person, as an assertion names them. */
export interface SamlPerson {
  /** How the provider names itself. */
  issuer: string;
  subject: string;
  /** As the provider writes it. */
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  name: string | undefined;
  /** Absent if no attribute with groups is chosen. */
  groups: string[] | undefined;
  /** When the provider ends its session. */
  endsAt: Date | undefined;
}

/**
 * Reads the answer of a provider: verifies the signature of the assertion, and that it is for this
 * service, this sign-in and now.
 * @param response `SAMLResponse` of the form
 * @throws DocentError `sign_in_required` saying why the person is refused
 */
export async function readSamlPerson(
  { clock }: Pick<Deps, 'clock'>,
  settings: Settings,
  service: SamlService,
  { requestId, response }: { requestId: string; response: string },
): Promise<SamlPerson> {
  const { assertion, attributes } = await verified(settings, service, requestId, response);
  requireBound(assertion, settings, service, { requestId, now: clock.now().getTime() });
  const { emailAttribute, groupsAttribute } = settings;
  const subject = assertion.Subject[0].NameID[0]._.trim();
  const first = (names: readonly string[]) =>
    names.flatMap((name) => textsIn(attributes, name)).find((value) => value !== '');
  const ends = assertion.AuthnStatement.flatMap(({ $ }) => $.SessionNotOnOrAfter ?? []);
  return {
    issuer: settings.entityId,
    subject: subject.slice(0, 300),
    email:
      first(emailAttribute === null ? ATTRIBUTES.email : [emailAttribute]) ??
      (emailAttribute === null && subject.includes('@') ? subject : undefined),
    firstName: first(ATTRIBUTES.firstName),
    lastName: first(ATTRIBUTES.lastName),
    name: first(ATTRIBUTES.name),
    groups: groupsAttribute === null ? undefined : textsIn(attributes, groupsAttribute),
    endsAt: ends.sort((a, b) => a.getTime() - b.getTime())[0],
  };
}

/**
 * Ends a sign-in of a reader. @param answer of the provider @throws DocentError `sign_in_required`
 * saying why the reader is refused
 */
export async function endSamlSignIn(
  deps: Pick<Deps, 'clock'>,
  settings: Settings,
  service: SamlService,
  answer: { requestId: string; response: string },
): Promise<SignIn> {
  const person = await readSamlPerson(deps, settings, service, answer);
  const { issuer, subject, email, firstName, lastName, name, groups = [], endsAt } = person;
  requireDomain(settings.emailDomains, { email });
  const facts = readUserObject({
    groups,
    content: contentOf({ email, firstName, lastName, name }),
  });
  if (typeof facts === 'string') throw refusedSignIn(facts);
  return {
    method: 'saml',
    generation: settings.generation,
    reader: { id: `saml:${issuer}|${subject}`, ...facts.user },
    name: nameOf({ email, sub: subject }),
    expiresAt: endsAt,
  };
}

async function libraryOf(
  { entityId, signInUrl, certificates }: Settings,
  service: SamlService,
  requestId: string,
): Promise<SAML> {
  const { SAML } = await import('@node-saml/node-saml');
  return new SAML({
    issuer: service.entityId,
    callbackUrl: service.callbackUrl,
    entryPoint: signInUrl,
    idpIssuer: entityId,
    idpCert: certificates,
    wantAssertionsSigned: true,
    // The assertion is signed: it alone is read.
    wantAuthnResponseSigned: false,
    // Providers choose how people sign in, and how they name them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => requestId,
    // `requireBound` compares the audience, and times with the clock of the server.
    audience: false,
    acceptedClockSkewMs: -1,
  });
}

/** Returns what the provider signed; nothing else of a response is read. */
async function verified(
  settings: Settings,
  service: SamlService,
  requestId: string,
  response: string,
): Promise<{ assertion: Assertion; attributes: Claims }> {
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (xml === '' || Buffer.byteLength(xml) > MAX_RESPONSE_BYTES || !isPlainXml(xml))
    throw refusedSignIn('the answer of the provider is not a response of SAML, or too large.');
  if (SHA1.test(xml))
    throw refusedSignIn('the provider signs with SHA-1; its administrator must choose SHA-256.');
  const saml = await libraryOf(settings, service, requestId);
  const { profile } = await saml
    .validatePostResponseAsync({ SAMLResponse: response })
    .catch((error: unknown) => {
      throw refusedSignIn(reasonOf(error));
    });
  const result = signedAssertion.safeParse(profile?.getAssertion?.());
  if (!result.success)
    throw refusedSignIn(
      'the assertion lacks what a sign-in needs, such as its subject or audience.',
    );
  return {
    assertion: result.data.Assertion,
    attributes: (profile?.attributes ?? {}) as Claims,
  };
}

/** What the library says is for developers; a provider's own status is what people can act on. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (error instanceof Error && 'xmlStatus' in error) return `${message.slice(0, 200)}.`;
  return 'its assertion is not signed by the provider, or not valid.';
}

/** An assertion counts for one provider, one site and one sign-in, and for minutes. */
function requireBound(
  { Issuer, Subject, Conditions }: Assertion,
  { entityId }: Settings,
  service: SamlService,
  { requestId, now }: { requestId: string; now: number },
): void {
  if (Issuer[0]._ !== entityId) throw refusedSignIn('the assertion is of another provider.');
  const [{ $: period, AudienceRestriction: restrictions }] = Conditions;
  const isForSite = restrictions.every(({ Audience }) =>
    Audience.some(({ _: audience }) => audience === service.entityId),
  );
  if (!isForSite) throw refusedSignIn('the assertion is for another site.');
  const confirmations = Subject[0].SubjectConfirmation.flatMap(
    ({ $: { Method }, SubjectConfirmationData: data }) =>
      Method === BEARER && data ? data[0].$ : [],
  ).filter(
    ({ Recipient, InResponseTo }) =>
      Recipient === service.callbackUrl && InResponseTo === requestId,
  );
  if (confirmations.length === 0)
    throw refusedSignIn('the assertion is for another address or another sign-in.');
  const isNow = ({
    NotBefore,
    NotOnOrAfter,
  }: {
    NotBefore?: Date | undefined;
    NotOnOrAfter?: Date | undefined;
  }) =>
    (NotBefore === undefined || NotBefore.getTime() <= now + SKEW_MS) &&
    (NotOnOrAfter === undefined || NotOnOrAfter.getTime() > now - SKEW_MS);
  const isValid = confirmations.some((data) => data.NotOnOrAfter !== undefined && isNow(data));
  if (!isValid || !isNow(period ?? {}))
    throw refusedSignIn('the assertion has expired, or is not valid yet.');
}

function textsIn(attributes: Claims, name: string): string[] {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return [value].flat().filter((item) => typeof item === 'string');
}
