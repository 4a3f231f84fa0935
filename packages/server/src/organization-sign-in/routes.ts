import { X509Certificate } from 'node:crypto';
import { formatIp, type IpAddress } from '@docent/format/access/ip.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import * as field from '../kernel/operations/described.ts';
import { plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { PeopleOidc } from '../ports/readers/reader-tables.ts';
import { methodChanges, methodViews, providerView } from '../readers/routes/method-schemas.ts';
import { changeSignIn, readSignIn } from './manage-sign-in.ts';

const required = field.flag(
  'Whether members come in through the provider alone. Owners also come in with their account and a second factor, for the day when the provider is down.',
);
const allowedAddresses = z
  .array(z.string().max(64))
  .max(100)
  .describe(
    'IPv4 and IPv6 addresses and CIDR ranges from which members come in with their session. Empty: every address. Readers of sites, the directory and the operator are not affected.',
  );
const limitsKeys = field.flag(
  'Whether admin keys also work from these addresses alone. Assistant keys are public.',
);
const attribute = plainText(1, 300).nullable();
const emailAttribute = attribute.describe(
  'Attribute with the email address; `null`: the one with a usual name.',
);
const groupsAttribute = attribute.describe(
  'Attribute with the groups of the person, which get their roles from `groupRoles` of the directory; `null`: none.',
);

const READERS_ONLY = { informationUrl: true, logoutUrl: true, endsSession: true } as const;
const trustsEmail = field.flag(
  'Whether email addresses count that the provider does not call verified (`email_verified`), as those of Microsoft Entra ID.',
);
const groupsClaim = field.orNull(
  plainText(1, 300),
  'Claim with the groups of the person, which get their roles from `groupRoles` of the directory; dots lead into an object. `null`: none.',
);
const oidcView = methodViews.oidc.unwrap().omit(READERS_ONLY).extend({ groupsClaim, trustsEmail });
const oidcInput = methodChanges.oidc
  .unwrap()
  .omit(READERS_ONLY)
  .extend({ groupsClaim: groupsClaim.default(null), trustsEmail: trustsEmail.default(false) });

const signIn = field.resource(
  'OrganizationSignIn',
  'How people of an organization sign in.',
  {
    saml: field.partOrNull('The provider of SAML 2.0; `null`: none.', {
      entityId: field.text('How the provider names itself.'),
      signInUrl: field.text('Where the provider signs people in.'),
      certificatesEndAt: field.time('When the first of its certificates expires.'),
      emailAttribute,
      groupsAttribute,
      changedAt: field.time('When it was last changed.'),
    }),
    oidc: field.orNull(
      oidcView,
      'The provider of OpenID Connect, in place of one of SAML; `null`: none.',
    ),
    required,
    allowedAddresses,
    limitsKeys,
    clientAddress: field.text.orNull(
      'The address from which you called, as the server sees it; `null` if unknown.',
    ),
    signInUrl: field.text('Where people sign in with the provider.'),
    callbackUrl: field.text('Where a provider of SAML sends its answers (ACS, reply URL).'),
    metadataUrl: field.text('Metadata for a provider of SAML, and the entity id.'),
    redirectUrl: field.text('Where a provider of OpenID Connect leads back to (redirect URI).'),
  },
  {
    saml: null,
    oidc: null,
    required: false,
    allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
    limitsKeys: false,
    clientAddress: '192.0.2.7',
    signInUrl: 'https://docs.acme.example/v1/sign-in/01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    callbackUrl: 'https://docs.acme.example/v1/sign-in/01K9Z3W6Y7QJ5T8B2M4N6P8R0S/saml',
    metadataUrl: 'https://docs.acme.example/v1/sign-in/01K9Z3W6Y7QJ5T8B2M4N6P8R0S/metadata',
    redirectUrl: 'https://docs.acme.example/v1/sign-in/01K9Z3W6Y7QJ5T8B2M4N6P8R0S/oidc',
  },
);

const peopleView = (oidc: PeopleOidc) => {
  const { informationUrl: _, logoutUrl: __, ...view } = providerView(oidc);
  return view;
};
const addressOf = (client: IpAddress | undefined) => (client ? formatIp(client) : null);

/** Registers the routes of `/v1/organization/sign-in`. */
export function organizationSignInRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organization/sign-in';
  const viewOf = (
    { saml, oidc, service, ...settings }: Awaited<ReturnType<typeof readSignIn>>,
    request: FastifyRequest,
  ) => ({
    saml: saml && {
      ...saml,
      certificatesEndAt: new Date(
        Math.min(...saml.certificates.map((pem) => new X509Certificate(pem).validToDate.getTime())),
      ),
      changedAt: new Date(saml.changedAt),
    },
    oidc: oidc && peopleView(oidc),
    ...settings,
    clientAddress: addressOf(clientOf(deps, request)),
    signInUrl: service.signInUrl,
    callbackUrl: service.callbackUrl,
    metadataUrl: service.entityId,
    redirectUrl: service.oidcCallbackUrl,
  });
  operation({
    route: `GET ${url}`,
    operationId: 'getOrganizationSignIn',
    summary: 'Get the sign-in of your organization',
    description: 'Returns the identity provider of your people. It needs the role `admin`.',
    permission: 'sign-in.read',
    answer: signIn,
    run: async ({ actor, request }) => viewOf(await readSignIn(deps, actor), request),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeOrganizationSignIn',
    summary: 'Change the sign-in of your organization',
    description:
      'Changes what the request names. A change of the provider ends the sessions that it began. To require it, sign in through it once, and turn on two-factor authentication in your account. Addresses without your own are refused unless you send `force`. It needs the role `owner`.',
    permission: 'owners.write',
    body: z
      .object({
        saml: field.optional(
          z
            .strictObject({
              metadata: field.optional(
                z.string().max(250_000),
                'Metadata of the provider (XML), in place of the next three.',
              ),
              entityId: plainText(1, 1024).optional().describe('How the provider names itself.'),
              signInUrl: field.optional(
                z.url({ protocol: /^https?$/ }).max(2000),
                'Where it signs people in (HTTP-Redirect binding).',
              ),
              certificates: field.optional(
                z.array(z.string().min(1).max(16_000)).min(1).max(10),
                'Certificates that verify its assertions, as PEM.',
              ),
              emailAttribute: emailAttribute.default(null),
              groupsAttribute: groupsAttribute.default(null),
            })
            .nullable(),
          'The provider, whose unnamed parts stay; `null`: none.',
        ),
        oidc: field.optional(
          oidcInput.nullable(),
          'A provider of OpenID Connect; `null`: none. An organization has one provider.',
        ),
        required: required.optional(),
        allowedAddresses: allowedAddresses.optional(),
        limitsKeys: limitsKeys.optional(),
        force: field.flag.optional(
          'Whether addresses without your own are set too, which locks you out.',
        ),
      })
      .meta({ examples: [{ saml: { metadata: '<EntityDescriptor …>' } }] }),
    answer: signIn,
    run: async ({ actor, body, request }) =>
      viewOf(await changeSignIn(deps, actor, body, clientOf(deps, request)), request),
  });
}
