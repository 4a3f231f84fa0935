import { DocentError } from '@docent/format/errors.ts';
import { tokenPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkPassword } from '../../kernel/access/check-password.ts';
import { dashboardAddressOf } from '../../kernel/access/dashboard-address.ts';
import type { Deps } from '../../kernel/deps.ts';
import { ownOriginsOf } from '../../kernel/http/asked-site.ts';
import type { App } from '../../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../../kernel/http/browser-origins.ts';
import { clientOf } from '../../kernel/http/client-of.ts';
import { acceptForms, formOf } from '../../kernel/http/forms.ts';
import { readerOf } from '../../kernel/http/reader-of.ts';
import { SITE_ROUTE } from '../../kernel/http/site-route.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { findAccess } from '../access/access-rows.ts';
import type { SignIn } from '../sessions/reader-sessions.ts';
import { MAIL_LINK_PATH } from '../sign-in/mail-links.ts';
import { MEMBER_CALLBACK_PATH, memberSignIn } from '../sign-in/members.ts';
import type { ProviderDeps } from '../sign-in/providers.ts';
import { type TokenDeps, verifyReaderToken } from '../sign-in/verify-token.ts';
import { VIEW_CALLBACK_PATH, viewSignIn } from '../sign-in/views.ts';
import { admit, type SessionDeps, sendLogout, signOut } from './admit.ts';
import {
  AGENT_PAGES,
  AUTHORIZE_PATH,
  REGISTER_PATH,
  registerAgent,
  TOKEN_PATH,
  takeAgentToken,
  takeAuthorize,
} from './agent-routes.ts';
import { sendMailLink, sendMailLinkPage, takeMailLink } from './mail-routes.ts';
import { CALLBACK_PATH, sendToProvider, takeProviderAnswer } from './provider-routes.ts';
import { sendSamlMetadata, takeSamlAnswer } from './saml-routes.ts';
import { SAML_CALLBACK_PATH, SAML_METADATA_PATH } from './saml-service.ts';
import {
  baseOf,
  redirectIn,
  scriptPolicyOf,
  sendForm,
  sendPage,
  signInLinks,
} from './sign-in-pages.ts';

export type LoginDeps = SessionDeps &
  TokenDeps &
  ProviderDeps &
  Pick<Deps, 'limiter' | 'passwords' | 'logger' | 'jobs'>;

type Handle = (
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
) => Promise<FastifyReply>;

const FORM_BYTES = 40 * 1024;
/** An answer of SAML, in Base64 and as a form: of at most 128 KB. */
const SAML_FORM_BYTES = 256 * 1024;

/** What GET answers at the paths of the sign-in, below a site. */
const PAGES: Readonly<Record<string, Handle>> = {
  login: sendLogin,
  logout: sendLogout,
  ...AGENT_PAGES,
  'login/members': sendToDashboard,
  [MEMBER_CALLBACK_PATH]: takePassOf(memberSignIn),
  [VIEW_CALLBACK_PATH]: takePassOf((deps, siteId, _methods, token) =>
    viewSignIn(deps, siteId, token),
  ),
  'login/oidc': sendToProvider('oidc'),
  'login/oauth': sendToProvider('oauth'),
  [MAIL_LINK_PATH]: sendMailLinkPage,
  'login/saml': sendToProvider('saml'),
  [CALLBACK_PATH]: takeProviderAnswer,
  [SAML_METADATA_PATH]: sendSamlMetadata,
  'login/jwt-callback': async (_deps, request, reply, site) => {
    const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
    const { page, script } = tokenPage({ action: `${baseOf(site)}/login/jwt-callback`, redirect });
    return sendPage(reply, 200, page, scriptPolicyOf(script));
  },
};

const FORMS: Readonly<Record<string, Handle>> = {
  login: takePassword,
  'login/mail': sendMailLink,
  [MAIL_LINK_PATH]: takeMailLink,
  logout: signOut,
  'login/jwt-callback': takeToken,
  [AUTHORIZE_PATH]: takeAuthorize,
};

/** Programs send these, so they come from no page. */
const AGENT_FORMS = [TOKEN_PATH, REGISTER_PATH];

/** Pages of the provider send it: the answer is bound to the browser, not to an origin. */
const PROVIDER_FORM = `${SITE_ROUTE}/${SAML_CALLBACK_PATH}`;

/** Returns what answers a request for a page of the sign-in; undefined for everything else. */
export function signInPageOf({ method, params }: FastifyRequest): Handle | undefined {
  const path = (params as { '*'?: string })['*'] ?? '';
  return (method === 'GET' || method === 'HEAD') && Object.hasOwn(PAGES, path)
    ? PAGES[path]
    : undefined;
}

/** Returns whether a request is a form of the sign-in, which everybody may send. */
export function isSignInForm({ routeOptions: { url } }: FastifyRequest): boolean {
  return (
    url === PROVIDER_FORM ||
    [...Object.keys(FORMS), ...AGENT_FORMS].some((path) => url === `${SITE_ROUTE}/${path}`)
  );
}

/**
 * Registers the forms of the sign-in. A form of another site could sign a reader in as somebody
 * else, or out.
 * @param siteOf returns the site of a request, if readers can sign in there
 */
export function signInForms(
  parent: App,
  deps: LoginDeps,
  siteOf: (request: FastifyRequest) => LiveSite | undefined,
): void {
  const requireSite = (request: FastifyRequest) => {
    const site = siteOf(request);
    if (!site) throw new DocentError('route_not_found', 'Nothing was found at this address.');
    return site;
  };
  const registering = { bodyLimit: FORM_BYTES };
  parent.post(`${SITE_ROUTE}/${REGISTER_PATH}`, registering, async (request, reply) =>
    registerAgent(deps, request, reply, requireSite(request)),
  );
  parent.register(async (app: App) => {
    acceptForms(app);
    app.post(`${SITE_ROUTE}/${TOKEN_PATH}`, { bodyLimit: FORM_BYTES }, (request, reply) =>
      takeAgentToken(deps, request, reply, requireSite(request)),
    );
    const onRequest = [requireOwnOrigin(async (request) => ownOriginsOf(requireSite(request)))];
    for (const [path, handle] of Object.entries(FORMS))
      app.post(`${SITE_ROUTE}/${path}`, { onRequest, bodyLimit: FORM_BYTES }, (request, reply) =>
        handle(deps, request, reply, requireSite(request)),
      );
    app.post(PROVIDER_FORM, { bodyLimit: SAML_FORM_BYTES }, (request, reply) =>
      takeSamlAnswer(deps, request, reply, requireSite(request)),
    );
  });
}

async function sendLogin(
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
  reply.header('cache-control', 'no-store');
  if (await readerOf(deps, request, site)) return reply.redirect(baseOf(site) + redirect, 303);
  const { methods } = await findAccess(deps.database.queries, site.siteId);
  const [link, ...others] = signInLinks(site, methods, redirect);
  // A script that requested a page must see that it is the sign-in, which it could not at another
  // origin.
  const isFetched = (request.headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate';
  if (link && others.length === 0 && !methods.password && !methods.mail && !isFetched)
    return reply.redirect(link.address, 303);
  return sendForm(reply, site, methods, 200, { redirect });
}

async function takePassword(
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const form = formOf(request);
  const redirect = redirectIn(form.get('redirect'));
  const { methods, sessionDays } = await findAccess(deps.database.queries, site.siteId);
  const { password } = methods;
  const refuse = (status: 403 | 429, problem: string) =>
    sendForm(reply, site, methods, status, { redirect, problem });
  if (!password) return refuse(403, 'This site takes no password any more.');
  const result = await checkPassword(
    deps,
    { id: site.siteId, hash: password.hash },
    form.get('password') ?? '',
    clientOf(deps, request),
  );
  if ('retrySeconds' in result) {
    reply.header('retry-after', result.retrySeconds);
    return refuse(429, 'Too many attempts. Try again in an hour.');
  }
  if (!result.isRight) return refuse(403, 'The password is wrong.');
  const reader = { id: 'password', groups: [], content: {}, apiPlaygroundInputs: {} };
  const { generation } = password;
  return admit(
    deps,
    request,
    reply,
    { site, sessionDays, redirect },
    { method: 'password', generation, reader },
  );
}

/** Members sign in at a page of the dashboard, which asks for their account first. */
async function sendToDashboard(
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const path = redirectIn((request.query as Record<string, unknown>).redirect);
  const address = await dashboardAddressOf(deps, site.organizationId, [site.slug, 'read'], {
    path,
  });
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

/** Takes what the dashboard sent with a person. */
function takePassOf(
  signInOf: (
    deps: LoginDeps,
    siteId: string,
    methods: StoredMethods,
    token: string,
  ) => Promise<SignIn | undefined>,
): Handle {
  return async (deps, request, reply, site) => {
    const query = request.query as Record<string, unknown>;
    const redirect = redirectIn(query.redirect);
    const { methods, sessionDays } = await findAccess(deps.database.queries, site.siteId);
    const signIn = await signInOf(deps, site.siteId, methods, String(query.token ?? ''));
    if (!signIn)
      return sendForm(reply, site, methods, 403, {
        redirect,
        problem: 'The sign-in took too long, or was used before. Try again.',
      });
    return admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
  };
}

async function takeToken(
  deps: LoginDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): Promise<FastifyReply> {
  const form = formOf(request);
  const redirect = redirectIn(form.get('redirect'));
  const { methods, sessionDays } = await findAccess(deps.database.queries, site.siteId);
  const refuse = (problem: string) => sendForm(reply, site, methods, 403, { redirect, problem });
  if (!methods.jwt) return refuse('This site takes no tokens any more.');
  try {
    const signIn = await verifyReaderToken(
      deps,
      site,
      methods.jwt,
      form.get('token') ?? '',
      'sign-in',
    );
    return await admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
  } catch (error) {
    if (error instanceof DocentError && error.code === 'sign_in_required')
      return refuse(error.message);
    throw error;
  }
}
