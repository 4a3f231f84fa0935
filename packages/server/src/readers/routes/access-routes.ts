import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import type { Deps } from '../../kernel/deps.ts';
import type { App } from '../../kernel/http/base-app.ts';
import { pathInside } from '../../kernel/http/path-inside.ts';
import * as field from '../../kernel/operations/described.ts';
import { listOf, pageOf, paging } from '../../kernel/operations/fields.ts';
import { operationsOf } from '../../kernel/operations/operation.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import {
  changeSiteAccess,
  createSiteTokenKey,
  endSiteSessions,
  listSiteSessions,
  readSiteAccess,
  type SiteAccessDetails,
} from '../access/manage-access.ts';
import { publicKeyText } from '../access/token-keys.ts';
import { openSiteForMember } from '../sign-in/members.ts';
import { viewSiteAsReader } from '../sign-in/views.ts';
import {
  methodChanges,
  methodViews,
  providerView,
  readerGroups,
  sessionDays,
  sessionMethod,
} from './method-schemas.ts';
import { CALLBACK_PATH } from './provider-routes.ts';
import { samlServiceOf } from './saml-service.ts';

const ROUTE = '/v1/projects/:projectId/access';
const SESSIONS = '/v1/projects/:projectId/reader-sessions';

const visibility = field.choice(
  ['public', 'private'],
  '`private`: readers sign in first. `public`: everybody may read; readers can sign in if there is a way to.',
);

const accessExample = {
  visibility: 'private' as const,
  sessionDays: 7,
  password: { changedAt: '2026-11-20T09:00:00.000Z' },
  members: null,
  mail: null,
  jwt: null,
  oidc: null,
  oauth: null,
  saml: null,
  addresses: {
    oauthCallback: 'https://docs.acme.example/login/oauth-callback',
    samlCallback: 'https://docs.acme.example/login/saml-callback',
    samlMetadata: 'https://docs.acme.example/login/saml-metadata',
    jwtCallback: 'https://docs.acme.example/login/jwt-callback',
    login: 'https://docs.acme.example/login',
    logout: 'https://docs.acme.example/logout',
  },
};

const siteAccess = field.resource(
  'SiteAccess',
  'Who may read a site, and how readers sign in. Secrets are never returned.',
  {
    visibility,
    sessionDays,
    ...methodViews,
    addresses: field.part('Addresses of the site.', {
      oauthCallback: field.text(
        'Where providers of OpenID Connect and OAuth 2 send readers: register it there.',
      ),
      samlCallback: field.text(
        'Where providers of SAML send assertions (Assertion Consumer Service).',
      ),
      samlMetadata: field.text('Metadata of the site for providers of SAML, and its entity id.'),
      jwtCallback: field.text('Where your sign-in page sends readers, with the token after `#`.'),
      login: field.text('Where readers sign in.'),
      logout: field.text('Where readers sign out.'),
    }),
  },
  accessExample,
);

const changes = z
  .strictObject({
    visibility,
    sessionDays,
    ...methodChanges,
  })
  .partial()
  .meta({ examples: [{ visibility: 'private', password: { password: 'correct horse battery' } }] });

function viewOf({
  isPrivate,
  sessionDays,
  methods,
  url,
}: SiteAccessDetails): z.infer<typeof siteAccess> {
  const { password, members, mail, jwt, oidc, oauth, saml } = methods;
  const samlService = samlServiceOf({ publicUrl: url });
  return {
    visibility: isPrivate ? 'private' : 'public',
    sessionDays,
    password: password ? { changedAt: new Date(password.changedAt) } : null,
    members: members ? { changedAt: new Date(members.changedAt) } : null,
    mail: mail ? { changedAt: new Date(mail.changedAt) } : null,
    jwt: jwt
      ? {
          loginUrl: jwt.loginUrl,
          publicKey: publicKeyText(jwt.keys),
          jwksUrl: jwt.keys.kind === 'set' ? jwt.keys.url : null,
          changedAt: new Date(jwt.changedAt),
        }
      : null,
    oidc: oidc ? { ...providerView(oidc), endsSession: oidc.endsSession ?? false } : null,
    oauth: oauth ? providerView(oauth) : null,
    saml: saml ? samlView(saml) : null,
    addresses: {
      oauthCallback: `${url}/${CALLBACK_PATH}`,
      samlCallback: samlService.callbackUrl,
      samlMetadata: samlService.entityId,
      jwtCallback: `${url}/login/jwt-callback`,
      login: `${url}/login`,
      logout: `${url}/logout`,
    },
  };
}

function samlView({ generation: _, changedAt, ...settings }: NonNullable<StoredMethods['saml']>) {
  const ends = settings.certificates.map((pem) => new X509Certificate(pem).validToDate.getTime());
  return {
    ...settings,
    certificatesEndAt: new Date(Math.min(...ends)),
    changedAt: new Date(changedAt),
  };
}

const sessionSchema = field.resource('ReaderSession', 'A reader who is signed in to a site.', {
  id: field.text('Identifier of the session.'),
  method: sessionMethod.describe(
    'How the reader signed in; `view`: an admin who sees the site as a reader.',
  ),
  name: field.text.orNull(
    'Name or email address of the reader; `null` if the sign-in does not say.',
  ),
  groups: field.texts('Groups of the reader.'),
  createdAt: field.time('When the reader signed in.'),
  usedAt: field.time('When the session was last used, to ten minutes.'),
  expiresAt: field.time('When the session ends.'),
});

const sessionExample = {
  id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
  method: 'password' as const,
  name: null,
  groups: [],
  createdAt: '2026-11-20T09:00:00.000Z',
  usedAt: '2026-11-21T09:00:00.000Z',
  expiresAt: '2026-11-27T09:00:00.000Z',
};

/** Registers the routes of `/v1/projects/{projectId}/access` and `…/reader-sessions`. */
export function accessRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Readers');
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'getSiteAccess',
    summary: 'Get who may read a site',
    description: 'Returns whether a site is private, and how its readers sign in.',
    permission: 'access.read',
    answer: siteAccess,
    run: async ({ actor, params }) => viewOf(await readSiteAccess(deps, actor, params.projectId)),
  });
  operation({
    route: `PATCH ${ROUTE}`,
    operationId: 'changeSiteAccess',
    summary: 'Change who may read a site',
    description:
      'Changes the given settings and keeps the others; the site is served so within a second. A way to sign in that gets other credentials, or ends, ends its sessions.',
    permission: 'access.write',
    body: changes,
    answer: siteAccess,
    run: async ({ actor, params, body }) =>
      viewOf(await changeSiteAccess(deps, actor, params.projectId, body)),
  });
  operation({
    route: `POST ${ROUTE}/jwt-key`,
    operationId: 'createReaderTokenKey',
    summary: 'Create the key for tokens of readers',
    description:
      'Creates an Ed25519 key pair. Only this response contains the private key: your sign-in page signs tokens with it. The previous key is no longer accepted, and its sessions end.',
    permission: 'access.write',
    answer: z
      .object({
        access: siteAccess,
        privateKey: field.text('The private key, as PEM (PKCS #8).'),
      })
      .meta({
        examples: [
          {
            access: accessExample,
            privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
          },
        ],
      }),
    status: 201,
    run: async ({ actor, params }) => {
      const { details, privateKey } = await createSiteTokenKey(deps, actor, params.projectId);
      return { access: viewOf(details), privateKey };
    },
  });
  operation({
    route: `GET ${ROUTE}/open`,
    operationId: 'openSite',
    summary: 'Open a site as a member',
    description:
      'Returns an address that signs the person in to a site whose members read it with their accounts, once and for a minute. For keys, and for other sites, it is the address of the page.',
    permission: 'projects.read',
    query: z.object({
      path: z.string().max(2000).default('/').describe('The path of the page to open.'),
    }),
    answer: z.object({ url: field.text('The address to open.') }).meta({
      examples: [{ url: 'https://docs.acme.example/login/member-callback?token=…&redirect=%2F' }],
    }),
    run: ({ actor, params, query }) =>
      openSiteForMember(deps, actor, params.projectId, pathInside(query.path)),
  });
  operation({
    route: `POST ${ROUTE}/views`,
    operationId: 'viewSiteAsReader',
    summary: 'View a site as a reader',
    description:
      'Returns an address that opens the site as a signed-in reader with the given groups sees it, once and for a minute. The view ends after 30 minutes, and with the session of the dashboard. For people only.',
    permission: 'access.write',
    body: z
      .strictObject({
        groups: readerGroups.default([]).describe('Groups that the reader has.'),
        path: z.string().max(2000).default('/').describe('The path of the page to open.'),
      })
      .meta({ examples: [{ groups: ['partners'], path: '/' }] }),
    answer: z.object({ url: field.text('The address to open.') }).meta({
      examples: [{ url: 'https://docs.acme.example/login/view-callback?token=…&redirect=%2F' }],
    }),
    status: 201,
    run: ({ actor, params, body: { groups, path } }) =>
      viewSiteAsReader(deps, actor, params.projectId, { groups, path: pathInside(path) }),
  });
  operation({
    route: `GET ${SESSIONS}`,
    operationId: 'listReaderSessions',
    summary: 'List the sessions of readers',
    description: 'Returns the readers who are signed in to a site, the newest first.',
    permission: 'access.write',
    query: z.object(paging(100, 50)),
    answer: listOf(sessionSchema, 'The open sessions.').meta({
      examples: [{ items: [sessionExample], nextCursor: null, hasMore: false }],
    }),
    run: async ({ actor, params, query }) =>
      pageOf(
        await listSiteSessions(deps, actor, params.projectId, query),
        ({ reader, ...session }) => ({
          ...session,
          groups: [...reader.groups],
        }),
      ),
  });
  operation({
    route: `DELETE ${SESSIONS}/:sessionId`,
    operationId: 'endReaderSession',
    summary: 'End the session of a reader',
    description: 'The reader signs in again.',
    permission: 'access.write',
    answer: z.null().describe('The session has ended.'),
    run: ({ actor, params }) => endSiteSessions(deps, actor, params.projectId, params.sessionId),
  });
  operation({
    route: `DELETE ${SESSIONS}`,
    operationId: 'endReaderSessions',
    summary: 'End all sessions of readers',
    description: 'All readers of the site sign in again.',
    permission: 'access.write',
    answer: z
      .object({ ended: field.int('Number of sessions that ended.') })
      .meta({ examples: [{ ended: 12 }] }),
    run: ({ actor, params }) => endSiteSessions(deps, actor, params.projectId),
  });
}
