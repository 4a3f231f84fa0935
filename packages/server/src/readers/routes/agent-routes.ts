import { agentPage, agentRefusedPage } from '@docent/theme/agent-page.ts';
import { PLAIN_PAGE_POLICY } from '@docent/theme/plain-page.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../kernel/deps.ts';
import { formOf } from '../../kernel/http/forms.ts';
import { readerSessionOf } from '../../kernel/http/reader-of.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { agentToken } from '../sessions/agent-tokens.ts';
import {
  type AgentClient,
  agentClientId,
  agentClientOf,
  agentCode,
  hasRedirect,
  readAgentClient,
  takeAgentCode,
} from '../sign-in/agents.ts';
import { baseOf, loginAddress, sendPage } from './sign-in-pages.ts';
import type { Handle } from './sign-in-ways.ts';

type AgentDeps = Pick<Deps, 'database' | 'clock' | 'secret' | 'readerSessions' | 'readerTokens'>;

export const AUTHORIZE_PATH = 'oauth/authorize';
export const TOKEN_PATH = 'oauth/token';
export const REGISTER_PATH = 'oauth/register';
const RESOURCE_PATH = '.well-known/oauth-protected-resource';

/** The `WWW-Authenticate` of an answer to an agent without a valid token (RFC 9728 §5.1). */
export function agentChallenge(site: LiveSite, hasToken: boolean): string {
  const error = hasToken ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${site.publicUrl}/${RESOURCE_PATH}/mcp"`;
}

/** What the addresses for discovery answer: RFC 9728, RFC 8414. */
const METADATA: Readonly<Record<string, (site: LiveSite) => object>> = {
  [RESOURCE_PATH]: resourceMetadata,
  [`${RESOURCE_PATH}/mcp`]: resourceMetadata,
  '.well-known/oauth-authorization-server': ({ publicUrl }) => ({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/${AUTHORIZE_PATH}`,
    token_endpoint: `${publicUrl}/${TOKEN_PATH}`,
    registration_endpoint: `${publicUrl}/${REGISTER_PATH}`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  }),
};

function resourceMetadata({ publicUrl, build }: LiveSite): object {
  return {
    resource: `${publicUrl}/mcp`,
    authorization_servers: [publicUrl],
    bearer_methods_supported: ['header'],
    resource_name: build.config.name,
  };
}

/** A request for a code, once its client and address are certain. */
interface Authorization {
  clientId: string;
  client: AgentClient;
  redirectUri: string;
  challenge: string;
  /** Why it is refused, as the client learns it. */
  problem: string | undefined;
  /** All parameters, for the form. */
  parameters: URLSearchParams;
}

const PARAMETERS = [
  ...['response_type', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method'],
  ...['state', 'resource', 'scope'],
];
const CHALLENGE = /^[\w-]{43}$/;

function readAuthorization(
  deps: AgentDeps,
  site: LiveSite,
  input: URLSearchParams,
): Authorization | undefined {
  const text = (name: string) => input.get(name) ?? '';
  const [clientId, redirectUri] = [text('client_id'), text('redirect_uri')];
  const client = agentClientOf(deps, site.siteId, clientId);
  if (!client || !hasRedirect(client, redirectUri)) return undefined;
  const challenge = text('code_challenge');
  const isProven = text('code_challenge_method') === 'S256' && CHALLENGE.test(challenge);
  const problem =
    text('response_type') !== 'code'
      ? 'unsupported_response_type'
      : !isProven
        ? 'invalid_request'
        : isResource(site, input.get('resource'))
          ? undefined
          : 'invalid_target';
  const parameters = new URLSearchParams();
  for (const name of PARAMETERS) if (input.has(name)) parameters.set(name, text(name));
  return { clientId, client, redirectUri, challenge, problem, parameters };
}

/** A resource may be left out; another one than ours gets no token (RFC 8707). */
function isResource({ publicUrl }: LiveSite, resource: string | null): boolean {
  return resource === null || resource === `${publicUrl}/mcp` || resource === publicUrl;
}

/** Asks a signed-in reader whether an agent may read as they do; others sign in first. */
const sendAuthorize: Handle<AgentDeps> = async (deps, request, reply, site) => {
  const query = request.url.split('?')[1] ?? '';
  const authorization = readAuthorization(deps, site, new URLSearchParams(query));
  if (!authorization) return sendPage(reply, 403, agentRefusedPage());
  if (authorization.problem) return leadBack(reply, site, authorization);
  const session = await readerSessionOf(deps, request, site);
  if (session?.sessionId === undefined) {
    const here = `/${AUTHORIZE_PATH}?${authorization.parameters}`;
    return reply.header('cache-control', 'no-store').redirect(loginAddress(site, here), 303);
  }
  const { client, redirectUri, parameters } = authorization;
  const url = new URL(redirectUri);
  const page = agentPage({
    siteName: site.build.config.name,
    client: client.name,
    target: url.host === '' ? url.protocol : url.host,
    action: `${baseOf(site)}/${AUTHORIZE_PATH}`,
    fields: [...parameters],
  });
  // Browsers compare where a form leads to in the end, which is the agent.
  const policy = PLAIN_PAGE_POLICY.replace(
    "form-action 'self'",
    `form-action 'self' ${/^https?:$/.test(url.protocol) ? url.origin : url.protocol}`,
  );
  return sendPage(reply, 200, page, policy);
};

/** What GET answers for agents, by path of the site. */
export const AGENT_PAGES: Readonly<Record<string, Handle<AgentDeps>>> = {
  [AUTHORIZE_PATH]: sendAuthorize,
  ...Object.fromEntries(
    Object.entries(METADATA).map(([path, metadataOf]) => [
      path,
      async (_deps, _request, reply, site) =>
        reply
          .headers({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
          .send(metadataOf(site)),
    ]),
  ),
};

/** Gives an agent a code, as the reader decided on a page of the site. */
export const takeAuthorize: Handle<AgentDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const authorization = readAuthorization(deps, site, form);
  if (!authorization) return sendPage(reply, 403, agentRefusedPage());
  const session = await readerSessionOf(deps, request, site);
  if (session?.sessionId === undefined || form.get('decision') !== 'allow')
    return leadBack(reply, site, { ...authorization, problem: 'access_denied' });
  if (authorization.problem) return leadBack(reply, site, authorization);
  const { sessionId } = session;
  const { clientId, redirectUri, challenge } = authorization;
  const code = agentCode(deps, site.siteId, { sessionId, clientId, redirectUri, challenge });
  return leadBack(reply, site, authorization, code);
};

/** Leads to the agent, with the issuer, so that it cannot mix up servers (RFC 9207). */
function leadBack(
  reply: FastifyReply,
  site: LiveSite,
  { redirectUri, parameters, problem }: Authorization,
  code?: string,
): FastifyReply {
  const address = new URL(redirectUri);
  const state = parameters.get('state');
  if (code === undefined) address.searchParams.set('error', problem ?? 'server_error');
  else address.searchParams.set('code', code);
  if (state !== null) address.searchParams.set('state', state);
  address.searchParams.set('iss', site.publicUrl);
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .redirect(address.href, 303);
}

/** Registers an agent's program (RFC 7591): its id is its registration, sealed. */
export function registerAgent(
  deps: AgentDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  site: LiveSite,
): FastifyReply {
  const client = readAgentClient(request.body);
  if (!client)
    return sendFault(
      reply,
      'invalid_redirect_uri',
      'Send 1 to 5 redirect_uris: https, http on localhost, or the scheme of a program.',
    );
  return reply
    .code(201)
    .header('cache-control', 'no-store')
    .send({
      client_id: agentClientId(deps, site.siteId, client),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
}

/** Exchanges a code for a token that counts as long as the session of the reader. */
export const takeAgentToken: Handle<AgentDeps> = async (deps, request, reply, site) => {
  const form = formOf(request);
  const text = (name: string) => form.get(name) ?? '';
  if (text('grant_type') !== 'authorization_code')
    return sendFault(reply, 'unsupported_grant_type', 'The only grant type is authorization_code.');
  if (!isResource(site, form.get('resource')))
    return sendFault(reply, 'invalid_target', `The resource is ${site.publicUrl}/mcp.`);
  const grant = await takeAgentCode(deps, site.siteId, {
    code: text('code'),
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    verifier: text('code_verifier'),
  });
  if (!grant)
    return sendFault(reply, 'invalid_grant', 'The code has expired, was used, or is not yours.');
  return reply.header('cache-control', 'no-store').send({
    access_token: agentToken(deps, site.siteId, grant.sessionId),
    token_type: 'Bearer',
  });
};

/** An error in the form of RFC 6749 §5.2 and RFC 7591 §3.2.2. */
function sendFault(reply: FastifyReply, error: string, description: string): FastifyReply {
  return reply
    .code(400)
    .header('cache-control', 'no-store')
    .send({ error, error_description: description });
}
