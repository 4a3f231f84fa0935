import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownOriginsOf } from '../../kernel/http/asked-site.ts';
import type { App } from '../../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../../kernel/http/browser-origins.ts';
import { acceptForms } from '../../kernel/http/forms.ts';
import { SITE_ROUTE } from '../../kernel/http/site-route.ts';
import type { LiveSite } from '../../ports/live-sites.ts';

/** Answers a request for an address of the sign-in. */
export type Handle<Deps> = (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
) => Promise<FastifyReply>;

type Answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
) => Promise<FastifyReply>;
type Answers = Readonly<Record<string, Answer>>;

/** What the addresses of the sign-in answer, by their paths below a site. */
export interface SignInWays {
  /** To GET. */
  pages: Answers;
  /** To forms of pages of the site. */
  forms: Answers;
  /** To forms of pages of a provider: the answer is bound to the browser, not to an origin. */
  providerForms: Answers;
  /** Absent where agents cannot ask readers for access. */
  agents?: {
    /** Says in an answer to an agent where it can ask. */
    challengeOf(site: LiveSite, hasToken: boolean): string;
    /** Programs send these, so they come from no page. */
    forms: Answers;
    json: Answers;
  };
}

export function bind<Deps>(deps: Deps, handle: Handle<Deps>): Answer {
  return (request, reply, site) => handle(deps, request, reply, site);
}

const FORM_BYTES = 40 * 1024;
/** An answer of SAML, in Base64 and as a form: of at most 128 KB. */
const PROVIDER_FORM_BYTES = 256 * 1024;

/** Returns what answers a request for a page of the sign-in; undefined for everything else. */
export function signInPageOf(
  { pages }: SignInWays,
  { method, params }: FastifyRequest,
): Answer | undefined {
  const path = (params as { '*'?: string })['*'] ?? '';
  return (method === 'GET' || method === 'HEAD') && Object.hasOwn(pages, path)
    ? pages[path]
    : undefined;
}

/** Returns whether a request is a form of the sign-in, which everybody may send. */
export function isSignInForm(
  { forms, providerForms, agents }: SignInWays,
  { routeOptions: { url } }: FastifyRequest,
): boolean {
  const all = { ...forms, ...providerForms, ...agents?.forms, ...agents?.json };
  return Object.keys(all).some((path) => url === `${SITE_ROUTE}/${path}`);
}

/**
 * Registers the forms of the sign-in. A form of another site could sign a reader in as somebody
 * else, or out.
 * @param siteOf returns the site of a request, if readers can sign in there
 */
export function signInForms(
  parent: App,
  { forms, providerForms, agents }: SignInWays,
  siteOf: (request: FastifyRequest) => LiveSite | undefined,
): void {
  const requireSite = (request: FastifyRequest) => {
    const site = siteOf(request);
    if (!site) throw new DocentError('route_not_found', 'Nothing was found at this address.');
    return site;
  };
  const register = (app: App, answers: Answers = {}, options: object = {}) => {
    for (const [path, answer] of Object.entries(answers))
      app.post(`${SITE_ROUTE}/${path}`, { bodyLimit: FORM_BYTES, ...options }, (request, reply) =>
        answer(request, reply, requireSite(request)),
      );
  };
  register(parent, agents?.json);
  parent.register(async (app: App) => {
    acceptForms(app);
    register(app, agents?.forms);
    const onRequest = [requireOwnOrigin(async (request) => ownOriginsOf(requireSite(request)))];
    register(app, forms, { onRequest });
    register(app, providerForms, { bodyLimit: PROVIDER_FORM_BYTES });
  });
}
