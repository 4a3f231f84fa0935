import { DocentError } from '@docent/format/errors.ts';
import { tokenPage } from '@docent/theme/plain-page.ts';
import { checkPassword } from '../../kernel/access/check-password.ts';
import type { Config } from '../../kernel/config/config.ts';
import type { Deps } from '../../kernel/deps.ts';
import { clientOf } from '../../kernel/http/client-of.ts';
import { formOf } from '../../kernel/http/forms.ts';
import { readerOf } from '../../kernel/http/reader-of.ts';
import type { ProviderDeps } from '../sign-in/providers.ts';
import { type TokenDeps, verifyReaderToken } from '../sign-in/verify-token.ts';
import { admit, type SessionDeps, sendLogout, signOut } from './admit.ts';
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
import { bind, type Handle, type SignInWays } from './sign-in-ways.ts';

export type LoginDeps = SessionDeps &
  TokenDeps &
  ProviderDeps &
  Pick<Deps, 'limiter' | 'passwords' | 'logger'> & { config: Pick<Config, 'trustedProxies'> };

/**
 * The ways to sign in that need nothing but a `ReaderStore`: a password, tokens, and providers.
 */
export function sharedWays(deps: LoginDeps): SignInWays {
  return {
    pages: {
      login: bind(deps, sendLogin),
      logout: bind(deps, sendLogout),
      'login/oidc': bind(deps, sendToProvider('oidc')),
      'login/oauth': bind(deps, sendToProvider('oauth')),
      'login/saml': bind(deps, sendToProvider('saml')),
      [CALLBACK_PATH]: bind(deps, takeProviderAnswer),
      [SAML_METADATA_PATH]: bind(deps, sendSamlMetadata),
      'login/jwt-callback': bind(deps, sendTokenPage),
    },
    forms: {
      login: bind(deps, takePassword),
      logout: bind(deps, signOut),
      'login/jwt-callback': bind(deps, takeToken),
    },
    providerForms: { [SAML_CALLBACK_PATH]: bind(deps, takeSamlAnswer) },
  };
}

const sendTokenPage: Handle<unknown> = async (_deps, request, reply, site) => {
  const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
  const { page, script } = tokenPage({ action: `${baseOf(site)}/login/jwt-callback`, redirect });
  return sendPage(reply, 200, page, scriptPolicyOf(script));
};

const sendLogin: Handle<LoginDeps> = async (deps, request, reply, site) => {
  const redirect = redirectIn((request.query as Record<string, unknown>).redirect);
  reply.header('cache-control', 'no-store');
  if (await readerOf(deps, request, site)) return reply.redirect(baseOf(site) + redirect, 303);
  const { methods } = await deps.readerStore.accessOf(site.siteId);
  const [link, ...others] = signInLinks(site, methods, redirect);
  // A script that requested a page must see that it is the sign-in, which it could not at another
  // origin.
  const isFetched = (request.headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate';
  if (link && others.length === 0 && !methods.password && !methods.mail && !isFetched)
    return reply.redirect(link.address, 303);
  return sendForm(reply, site, methods, 200, { redirect });
};

const takePassword: Handle<LoginDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const redirect = redirectIn(form.get('redirect'));
  const { methods, sessionDays } = await deps.readerStore.accessOf(site.siteId);
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
};

const takeToken: Handle<LoginDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const redirect = redirectIn(form.get('redirect'));
  const { methods, sessionDays } = await deps.readerStore.accessOf(site.siteId);
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
};
