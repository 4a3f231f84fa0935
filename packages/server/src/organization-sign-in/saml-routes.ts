import { formatIp } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import { html } from '@docent/format/html.ts';
import { plainPage, relayPage } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { isSameOrigin } from '../kernel/http/browser-origins.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { cookiesOf, cookieText } from '../kernel/http/cookies.ts';
import { acceptForms, formOf } from '../kernel/http/forms.ts';
import { pathInside } from '../kernel/http/path-inside.ts';
import { hashSecret } from '../kernel/ids.ts';
import { countTry } from '../kernel/operations/count-sign-ins.ts';
import { accountRequestOf, findSignedIn, setCookies } from '../kernel/operations/identify.ts';
import { openSecret, sealSecret } from '../kernel/sealed-secrets.ts';
import { SIGN_IN_SECONDS } from '../readers/routes/begun-sign-ins.ts';
import { scriptPolicyOf, sendPage } from '../readers/routes/sign-in-pages.ts';
import { useProof } from '../readers/sign-in/proof-rows.ts';
import { beginSamlSignIn, readSamlPerson, samlMetadata } from '../readers/sign-in/saml.ts';
import { admitPerson, noProvider } from './admit-person.ts';
import { findProvider, serviceOf } from './manage-sign-in.ts';

/** A sign-in that began in a browser, as its cookie keeps it. */
interface Begun {
  organizationId: string;
  requestId: string;
  generation: string;
  redirect: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

type Params = { Params: { organization: string } };

/** Of sign-ins that began here; a provider repeats it, and sends none or its own otherwise. */
const RELAY_STATE = 'docent';
const COOKIE = 'docent-organization-sign-in';

/** Registers where people of an organization sign in with its provider of SAML. */
export function organizationSamlRoutes(app: App, deps: Deps): void {
  app.register(async (scope) => {
    acceptForms(scope as App);
    const options = {
      schema: { hide: true },
      onRequest: (request: FastifyRequest) => countTry(deps, request),
    };
    const url = '/v1/sign-in/:organization';
    scope.get<Params>(url, options, ({ params, query }, reply) =>
      begin(deps, reply, params.organization, (query as { redirect?: unknown }).redirect),
    );
    scope.get<Params>(`${url}/metadata`, options, async ({ params }, reply) => {
      const service = serviceOf(deps.config, (await providerOf(deps, params)).organization.id);
      return reply
        .header('content-type', 'application/samlmetadata+xml')
        .send(await samlMetadata(service));
    });
    scope.post<Params>(`${url}/saml`, options, (request, reply) => take(deps, request, reply));
  });
}

async function providerOf(deps: Deps, { organization }: Params['Params']) {
  const provider = await findProvider(deps, organization);
  if (!provider) throw noProvider();
  return provider;
}

async function begin(
  deps: Deps,
  reply: FastifyReply,
  name: string,
  redirect?: unknown,
): Promise<FastifyReply> {
  const { organization, saml } = await providerOf(deps, { organization: name });
  const service = serviceOf(deps.config, organization.id);
  const { address, state } = await beginSamlSignIn(saml, service, RELAY_STATE);
  const path = pathInside(redirect);
  const begun: Begun = {
    organizationId: organization.id,
    requestId: state,
    generation: saml.generation,
    redirect: path.startsWith('/dashboard/') ? path : `/dashboard/${organization.slug}`,
    expiresAt: deps.clock.now().getTime() + SIGN_IN_SECONDS * 1000,
  };
  const sealed = sealSecret(deps.secret, 'sign-ins of people', JSON.stringify(begun));
  setCookie(deps, reply, encodeURIComponent(sealed), SIGN_IN_SECONDS);
  return reply.header('referrer-policy', 'no-referrer').redirect(address, 303);
}

/**
 * Takes the answer of a provider, which its page makes the browser send. One that nobody asked for,
 * as from a tile of the provider, only begins a sign-in: it could have been sent by anybody.
 */
async function take(
  deps: Deps,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization, saml } = await providerOf(deps, request.params);
  const form = formOf(request);
  const response = form.get('SAMLResponse') ?? '';
  const service = serviceOf(deps.config, organization.id);
  const relayState = form.get('RelayState') ?? '';
  if (relayState !== RELAY_STATE) return begin(deps, reply, organization.id);
  // Browsers send no cookies with the form of another site, so a page of ours sends it again.
  if (!isSameOrigin(request) && !form.has('relayed')) {
    const fields = { SAMLResponse: response, RelayState: relayState, relayed: '1' };
    const { page, script } = relayPage({ action: service.callbackUrl, fields });
    return sendPage(reply, 200, page, scriptPolicyOf(script));
  }
  const begun = begunIn(deps, request);
  setCookie(deps, reply, '', 0);
  try {
    if (begun?.organizationId !== organization.id || begun.generation !== saml.generation)
      throw refused('The sign-in did not begin in this browser, or took too long. Try again.');
    const proof = hashSecret(`${organization.id} ${begun.requestId}`);
    if (!(await useProof(deps.database.queries, proof, new Date(begun.expiresAt))))
      throw refused('The sign-in was used before. Try again.');
    const { requestId } = begun;
    const person = await readSamlPerson(deps, saml, service, { requestId, response });
    const client = clientOf(deps, request);
    const browserUser = await findSignedIn(deps, request, reply);
    const address = client ? formatIp(client) : null;
    const userId = await admitPerson(deps, organization, person, address, browserUser);
    const sent = accountRequestOf(deps, request);
    setCookies(reply, await deps.accounts.startSession(userId, organization.id, sent));
    return reply.header('cache-control', 'no-store').redirect(begun.redirect, 303);
  } catch (error) {
    if (!(error instanceof DocentError) || error.code !== 'sign_in_required') throw error;
    deps.logger.warn({ reason: error.message }, 'a person could not sign in with their provider');
    return sendPage(reply, 403, refusalPage(organization.name, error.message, service.signInUrl));
  }
}

function refused(message: string): DocentError {
  return new DocentError('sign_in_required', message);
}

function refusalPage(name: string, problem: string, signInUrl: string): string {
  return plainPage({
    title: `Sign in to ${name}`,
    heading: `Sign in to ${name}`,
    content: html`<p id="problem" role="alert">${problem}</p><a href="${signInUrl}">Try again</a><a href="/dashboard/sign-in">Sign in with your account</a>`,
  });
}

function begunIn({ secret, clock, config }: Deps, request: FastifyRequest): Begun | undefined {
  const [value = ''] = cookiesOf(request, cookieName(config));
  const encoded = /^(?:[\w.-]|%[0-7][0-9a-f])*$/i.test(value) ? value : '';
  const text = openSecret(secret, 'sign-ins of people', decodeURIComponent(encoded));
  const begun = text === undefined ? undefined : (JSON.parse(text) as Begun);
  return begun && begun.expiresAt > clock.now().getTime() ? begun : undefined;
}

const isEncrypted = ({ publicUrl }: Deps['config']) => publicUrl.startsWith('https:');
const cookieName = (config: Deps['config']) => `${isEncrypted(config) ? '__Host-' : ''}${COOKIE}`;

function setCookie({ config }: Deps, reply: FastifyReply, value: string, seconds: number): void {
  const cookie = { name: cookieName(config), value, seconds, isEncrypted: isEncrypted(config) };
  reply.header('set-cookie', cookieText(cookie));
}
