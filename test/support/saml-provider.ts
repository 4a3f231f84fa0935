import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeHtml } from '@docent/format/html.ts';
import { selfSigned } from './certificate.ts';

interface Site {
  entityMeta: { getEntityID(): string; getAssertionConsumerService(binding: string): string };
}
type SamlRequest = { extract: { request?: { id?: string } } };

/** Not imported: its types would add those of browsers to every file of Node.js. */
const require = createRequire(import.meta.url);
const { IdentityProvider, ServiceProvider, setSchemaValidator } = require('samlify') as {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  ServiceProvider(settings: { metadata: string }): Site;
  IdentityProvider(settings: object): {
    getMetadata(): string;
    parseLoginRequest(site: Site, binding: string, request: object): Promise<SamlRequest>;
    createLoginResponse(
      ...answer: [Site, SamlRequest, binding: string, user: object, options: object]
    ): Promise<{ context: string }>;
  };
};

const ENTITY_ID = 'https://idp.acme.example/metadata';
const SIGN_IN_URL = 'https://idp.acme.example/sso?tenant=acme';

/** What an assertion says; everything but the person follows from the request. */
export interface SamlClaims {
  nameId: string;
  attributes: Record<string, string[]>;
  issuer: string;
  audience: string;
  recipient: string;
  inResponseTo: string | null;
  notBefore: Date;
  notOnOrAfter: Date;
  method: string;
  sessionEnd: Date | null;
}

/**
 * Returns an identity provider of SAML (`samlify`), which reads the metadata and the requests of a
 * site as it does those of every other service.
 */
export function createSamlProvider(
  signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
) {
  setSchemaValidator({ validate: async () => 'valid' });
  const folder = mkdtempSync(join(tmpdir(), 'docent-saml-'));
  const { key, cert } = selfSigned(folder, 'rsa');
  const [privateKey, certificate] = [readFileSync(key, 'utf8'), readFileSync(cert, 'utf8')];
  rmSync(folder, { recursive: true });
  const provider = IdentityProvider({
    entityID: ENTITY_ID,
    privateKey,
    signingCert: certificate,
    requestSignatureAlgorithm: signatureAlgorithm,
    wantAuthnRequestsSigned: false,
    singleSignOnService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: SIGN_IN_URL },
    ],
  });
  return {
    entityId: ENTITY_ID,
    signInUrl: SIGN_IN_URL,
    certificate,
    metadata: provider.getMetadata(),
    /**
     * Signs a person in. @param address where the site sent the browser @returns the XML of the
     * response, and the address that its form goes to
     */
    async signIn(
      address: string,
      siteMetadata: string,
      now: Date,
      claims: Partial<SamlClaims>,
    ): Promise<{ xml: string; action: string }> {
      const site = ServiceProvider({ metadata: siteMetadata });
      const query = Object.fromEntries(new URL(address).searchParams);
      const request = await provider.parseLoginRequest(site, 'redirect', { query });
      const { id = '' } = request.extract.request ?? {};
      const action = site.entityMeta.getAssertionConsumerService('post');
      const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
      const xml = responseOf({
        nameId: 'ada@acme.example',
        attributes: {},
        issuer: ENTITY_ID,
        audience: site.entityMeta.getEntityID(),
        recipient: action,
        inResponseTo: id,
        notBefore: minutes(-1),
        notOnOrAfter: minutes(5),
        method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
        sessionEnd: null,
        ...claims,
      });
      const { context } = await provider.createLoginResponse(
        site,
        request,
        'post',
        {},
        {
          customTagReplacement: () => ({ id, context: xml }),
        },
      );
      return { xml: Buffer.from(context, 'base64').toString('utf8'), action };
    },
  };
}

let count = 0;

function responseOf(claims: SamlClaims): string {
  count += 1;
  const at = (time: Date) => time.toISOString();
  const answers = claims.inResponseTo === null ? '' : ` InResponseTo="${claims.inResponseTo}"`;
  const attributes = Object.entries(claims.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${escapeHtml(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  const end = claims.sessionEnd ? ` SessionNotOnOrAfter="${at(claims.sessionEnd)}"` : '';
  return [
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response${count}" Version="2.0" IssueInstant="${at(claims.notBefore)}" Destination="${claims.recipient}"${answers}>`,
    `<saml:Issuer>${claims.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`,
    `<saml:Assertion ID="_assertion${count}" Version="2.0" IssueInstant="${at(claims.notBefore)}"><saml:Issuer>${claims.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID>${escapeHtml(claims.nameId)}</saml:NameID><saml:SubjectConfirmation Method="${claims.method}"><saml:SubjectConfirmationData NotOnOrAfter="${at(claims.notOnOrAfter)}" Recipient="${claims.recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject>`,
    `<saml:Conditions NotBefore="${at(claims.notBefore)}" NotOnOrAfter="${at(claims.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${claims.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${at(claims.notBefore)}"${end}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`,
  ].join('');
}
