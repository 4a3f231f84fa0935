import { dashboardAddressOf } from '../../kernel/access/dashboard-address.ts';
import type { Deps } from '../../kernel/deps.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { MAIL_LINK_PATH } from '../sign-in/mail-links.ts';
import { MEMBER_CALLBACK_PATH, memberSignIn } from '../sign-in/members.ts';
import { VIEW_CALLBACK_PATH, viewSignIn } from '../sign-in/views.ts';
import { admit } from './admit.ts';
import {
  AGENT_PAGES,
  AUTHORIZE_PATH,
  agentChallenge,
  REGISTER_PATH,
  registerAgent,
  TOKEN_PATH,
  takeAgentToken,
  takeAuthorize,
} from './agent-routes.ts';
import { type LoginDeps, sharedWays } from './login-routes.ts';
import { sendMailLink, sendMailLinkPage, takeMailLink } from './mail-routes.ts';
import { redirectIn, sendForm } from './sign-in-pages.ts';
import { bind, type Handle, type SignInWays } from './sign-in-ways.ts';

type PlatformLoginDeps = LoginDeps & Pick<Deps, 'database' | 'jobs' | 'config'>;

/** All ways to sign in of the platform, also those of members, by mail, and of agents. */
export function platformWays(deps: PlatformLoginDeps): SignInWays {
  const shared = sharedWays(deps);
  const agentPages = Object.entries(AGENT_PAGES).map(
    ([path, handle]) => [path, bind(deps, handle)] as const,
  );
  return {
    pages: {
      ...shared.pages,
      ...Object.fromEntries(agentPages),
      'login/members': bind(deps, sendToDashboard),
      [MEMBER_CALLBACK_PATH]: bind(deps, takePassOf(memberSignIn)),
      [VIEW_CALLBACK_PATH]: bind(
        deps,
        takePassOf((deps, siteId, _methods, token) => viewSignIn(deps, siteId, token)),
      ),
      [MAIL_LINK_PATH]: bind(deps, sendMailLinkPage),
    },
    forms: {
      ...shared.forms,
      'login/mail': bind(deps, sendMailLink),
      [MAIL_LINK_PATH]: bind(deps, takeMailLink),
      [AUTHORIZE_PATH]: bind(deps, takeAuthorize),
    },
    providerForms: shared.providerForms,
    agents: {
      challengeOf: agentChallenge,
      forms: { [TOKEN_PATH]: bind(deps, takeAgentToken) },
      json: {
        [REGISTER_PATH]: bind(deps, async (...request) => registerAgent(...request)),
      },
    },
  };
}

/** Members sign in at a page of the dashboard, which asks for their account first. */
const sendToDashboard: Handle<PlatformLoginDeps> = async (deps, request, reply, site) => {
  const path = redirectIn((request.query as Record<string, unknown>).redirect);
  const address = await dashboardAddressOf(deps, site.organizationId, [site.slug, 'read'], {
    path,
  });
  return reply.header('cache-control', 'no-store').redirect(address, 303);
};

/** Takes what the dashboard sent with a person. */
function takePassOf(
  signInOf: (
    deps: PlatformLoginDeps,
    siteId: string,
    methods: StoredMethods,
    token: string,
  ) => Promise<SignIn | undefined>,
): Handle<PlatformLoginDeps> {
  return async (deps, request, reply, site) => {
    const query = request.query as Record<string, unknown>;
    const redirect = redirectIn(query.redirect);
    const { methods, sessionDays } = await deps.readerStore.accessOf(site.siteId);
    const signIn = await signInOf(deps, site.siteId, methods, String(query.token ?? ''));
    if (!signIn)
      return sendForm(reply, site, methods, 403, {
        redirect,
        problem: 'The sign-in took too long, or was used before. Try again.',
      });
    return admit(deps, request, reply, { site, sessionDays, redirect }, signIn);
  };
}
