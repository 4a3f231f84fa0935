import { formatIp } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import { html } from '@docent/format/html.ts';
import { plainPage, relayPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OrganizationRow } from '../kernel/access/organization-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { isSameOrigin } from '../kernel/http/browser-origins.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { acceptForms, formOf } from '../kernel/http/forms.ts';
import { pathInside } from '../kernel/http/path-inside.ts';
import { hashSecret } from '../kernel/ids.ts';
import { countTry } from '../kernel/operations/count-sign-ins.ts';
import { accountRequestOf, findSignedIn, setCookies } from '../kernel/operations/identify.ts';
import { scriptPolicyOf, sendPage } from '../readers/routes/sign-in-pages.ts';
import { useProof } from '../readers/sign-in/proof-rows.ts';
import { beginSignIn } from '../readers/sign-in/providers.ts';
import { beginSamlSignIn, readSamlPerson, samlMetadata } from '../readers/sign-in/saml.ts';
import { admitPerson, noProvider, type ProviderPerson } from './admit-person.ts';
import { type Begun, forgetSignIn, rememberSignIn, signInOf } from './begun-sign-ins.ts';
import { findProvider, type PeopleProvider, serviceOf } from './manage-sign-in.ts';
import { readOidcPerson } from './oidc-person.ts';

type Params = { Params: { organization: string } };
type Place = { organization: OrganizationRow; provider: PeopleProvider };

/** Of sign-ins that began here; a provider repeats it, and sends none or its own otherwise. */
const RELAY_STATE = 'docent';

/** Registers where people of an organization sign in with its provider. */
export function organizationProviderRoutes(app: App, deps: Deps): void {
  app.register(async (scope) => {
    acceptForms(scope as App);
    const options = {
      schema: { hide: true },
      onRequest: (request: FastifyRequest) => countTry(deps, request),
    };
    const url = '/v1/sign-in/:organization';
    scope.get<Params>(url, options, async ({ params, query }, reply) =>
      begin(deps, reply, await placeOf(deps, params), (query as { redirect?: unknown }).redirect),
    );
    scope.get<Params>(`${url}/metadata`, options, async ({ params }, reply) => {
      const service = serviceOf(deps.config, (await placeOf(deps, params)).organization.id);
      return reply
        .header('content-type', 'application/samlmetadata+xml')
        .send(await samlMetadata(service));
    });
    scope.post<Params>(`${url}/saml`, options, (request, reply) => takeForm(deps, request, reply));
    scope.get<Params>(`${url}/oidc`, options, (request, reply) => takeCode(deps, request, reply));
  });
}

/** @throws DocentError `organization_not_found` */
async function placeOf(deps: Deps, { organization }: Params['Params']): Promise<Place> {
  const place = await findProvider(deps, organization);
  if (!place) throw noProvider();
  return place;
}

async function begin(
  deps: Deps,
  reply: FastifyReply,
  place: Place,
  redirect?: unknown,
): Promise<FastifyReply> {
  const { organization, provider } = place;
  const path = pathInside(redirect);
  const page = path.startsWith('/dashboard/') ? path : `/dashboard/${organization.slug}`;
  return orRefuse(deps, reply, place, async () => {
    const { address, ...proof } = await challengeOf(deps, organization.id, provider);
    const { generation } = provider.settings;
    const begun = { ...proof, organizationId: organization.id, generation, redirect: page };
    rememberSignIn(deps, reply, begun);
    return reply.header('referrer-policy', 'no-referrer').redirect(address, 303);
  });
}

/** Returns where to send the browser, and what the answer of the provider is compared with. */
async function challengeOf(
  deps: Deps,
  organizationId: string,
  provider: PeopleProvider,
): Promise<Pick<Begun, 'state' | 'challenge'> & { address: string }> {
  const service = serviceOf(deps.config, organizationId);
  if (provider.kind === 'saml') return beginSamlSignIn(provider.settings, service, RELAY_STATE);
  const { address, challenge } = await beginSignIn(deps, provider, service.oidcCallbackUrl);
  return { address, challenge, state: challenge.state };
}

/**
 * Takes the answer of a provider of SAML, which its page makes the browser send. One that nobody
 * asked for, as from a tile of the provider, only begins a sign-in: it could have been sent by
 * anybody.
 */
async function takeForm(
  deps: Deps,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const place = await placeOf(deps, request.params);
  const form = formOf(request);
  const response = form.get('SAMLResponse') ?? '';
  const service = serviceOf(deps.config, place.organization.id);
  const relayState = form.get('RelayState') ?? '';
  if (relayState !== RELAY_STATE) return begin(deps, reply, place);
  // Browsers send no cookies with the form of another site, so a page of ours sends it again.
  if (!isSameOrigin(request) && !form.has('relayed')) {
    const fields = { SAMLResponse: response, RelayState: relayState, relayed: '1' };
    const { page, script } = relayPage({ action: service.callbackUrl, fields });
    return sendPage(reply, 200, page, scriptPolicyOf(script));
  }
  return finish(deps, request, reply, place, async ({ state: requestId }) => {
    const { kind, settings } = place.provider;
    if (kind !== 'saml') throw otherProvider();
    return readSamlPerson(deps, settings, service, { requestId, response });
  });
}

/** Takes the answer of a provider of OpenID Connect, which brings the browser back. */
async function takeCode(
  deps: Deps,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const place = await placeOf(deps, request.params);
  return finish(deps, request, reply, place, async ({ challenge }) => {
    const { provider, organization } = place;
    if (provider.kind !== 'oidc' || !challenge) throw otherProvider();
    const answer = new URL(serviceOf(deps.config, organization.id).oidcCallbackUrl);
    answer.search = request.url.slice(request.url.indexOf('?') + 1);
    return readOidcPerson(deps, provider, answer, challenge);
  });
}

/**
 * Finishes the sign-in that began in this browser, once, as long as the provider is the same.
 * @param verify returns whom the provider has signed in
 */
async function finish(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  place: Place,
  verify: (begun: Begun) => Promise<ProviderPerson>,
): Promise<FastifyReply> {
  const { organization, provider } = place;
  const begun = signInOf(deps, request);
  forgetSignIn(deps, reply);
  return orRefuse(deps, reply, place, async () => {
    if (
      begun?.organizationId !== organization.id ||
      begun.generation !== provider.settings.generation
    )
      throw refused('The sign-in did not begin in this browser, or took too long. Try again.');
    const proof = hashSecret(`${organization.id} ${begun.state}`);
    if (!(await useProof(deps.database.queries, proof, new Date(begun.expiresAt))))
      throw refused('The sign-in was used before. Try again.');
    const person = await verify(begun);
    const { endsAt } = person;
    if (endsAt && endsAt <= deps.clock.now())
      throw refused('The provider has ended the session. Sign in there again.');
    const client = clientOf(deps, request);
    const browserUser = await findSignedIn(deps, request, reply);
    const address = client ? formatIp(client) : null;
    const userId = await admitPerson(deps, organization, person, address, browserUser);
    const sent = accountRequestOf(deps, request);
    setCookies(reply, await deps.accounts.startSession(userId, organization.id, sent, endsAt));
    return reply.header('cache-control', 'no-store').redirect(begun.redirect, 303);
  });
}

/** Answers with a page that says why somebody cannot sign in. */
async function orRefuse(
  deps: Deps,
  reply: FastifyReply,
  { organization }: Place,
  run: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    const status = STATUSES[error.code];
    if (status === undefined) throw error;
    deps.logger.warn({ reason: error.message }, 'a person could not sign in with their provider');
    const { signInUrl } = serviceOf(deps.config, organization.id);
    return sendPage(reply, status, refusalPage(organization.name, error.message, signInUrl));
  }
}

/** What people read on a page, rather than as a response of the API. */
const STATUSES: Readonly<Record<string, 403 | 503>> = {
  sign_in_required: 403,
  dependency_unavailable: 503,
};

function refused(message: string): DocentError {
  return new DocentError('sign_in_required', message);
}

const otherProvider = () => refused('The answer is of another provider. Try again.');

function refusalPage(name: string, problem: string, signInUrl: string): string {
  return plainPage({
    title: `Sign in to ${name}`,
    heading: `Sign in to ${name}`,
    content: html`<p id="problem" role="alert">${problem}</p><a href="${signInUrl}">Try again</a><a href="/dashboard/sign-in">Sign in with your account</a>`,
  });
}
