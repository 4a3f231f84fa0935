import { randomUUID } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import * as client from 'openid-client';
import type { Deps } from '../../kernel/deps.ts';
import { openSecret } from '../../kernel/sealed-secrets.ts';
import type { SignIn } from '../../ports/readers/reader-store.ts';
import type { StoredMethods } from '../../ports/readers/reader-tables.ts';
import { travelsInTheClear } from '../access/provider-settings.ts';
import { type Claims, contentOf, nameOf, refusedSignIn, requireDomain } from './claims.ts';
import { isUserObject, readUserObject } from './user-object.ts';

export type ProviderDeps = Pick<Deps, 'outsideCalls' | 'providerDocuments' | 'secret' | 'clock'>;
export type Provider =
  | { kind: 'oidc'; settings: NonNullable<StoredMethods['oidc']> }
  | { kind: 'oauth'; settings: NonNullable<StoredMethods['oauth']> };

/** What binds the answer of a provider to the browser and the request that began the sign-in. */
export interface Challenge {
  state: string;
  nonce: string;
  verifier: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** Returns the provider of a site by its kind; undefined if it has none. */
export function providerOf(methods: StoredMethods, kind: Provider['kind']): Provider | undefined {
  const settings = methods[kind];
  return settings && ({ kind, settings } as Provider);
}

/**
 * Begins a sign-in: authorization code with PKCE (RFC 7636), `state`, and for OpenID Connect a
 * `nonce`.
 * @returns where to send the browser, and what its answer is compared with
 * @throws DocentError `dependency_unavailable` if the provider cannot be reached
 */
export async function beginSignIn(
  deps: ProviderDeps,
  provider: Provider,
  redirectUri: string,
): Promise<{ address: string; challenge: Challenge }> {
  const { settings } = provider;
  const configuration = await configurationOf(deps, provider);
  const challenge = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const address = client.buildAuthorizationUrl(configuration, {
    ...(provider.kind === 'oauth' && provider.settings.parameters),
    redirect_uri: redirectUri,
    scope: settings.scopes.join(' '),
    state: challenge.state,
    code_challenge: await client.calculatePKCECodeChallenge(challenge.verifier),
    code_challenge_method: 'S256',
    ...(provider.kind === 'oidc' && { nonce: challenge.nonce }),
  });
  return { address: address.href, challenge };
}

/**
 * Ends a sign-in: exchanges the code, verifies what the provider says, and reads who the reader is.
 * @param answer the address that the provider sent the browser to
 * @throws DocentError `sign_in_required` saying why the reader is refused; `dependency_unavailable`
 */
export async function endSignIn(
  deps: ProviderDeps,
  provider: Provider,
  answer: URL,
  challenge: Challenge,
): Promise<SignIn> {
  const configuration = await configurationOf(deps, provider);
  try {
    const { tokens, claims } = await exchange(configuration, provider.kind, answer, challenge);
    return await signInFrom(configuration, provider, tokens.access_token, claims);
  } catch (error) {
    throw faultOf(error);
  }
}

/**
 * Ends a sign-in, like `endSignIn`, for whoever reads the verified claims themself.
 * @throws DocentError `sign_in_required`, `dependency_unavailable`
 */
export async function readOidcClaims(
  deps: ProviderDeps,
  settings: NonNullable<StoredMethods['oidc']>,
  answer: URL,
  challenge: Challenge,
): Promise<Claims> {
  const configuration = await configurationOf(deps, { kind: 'oidc', settings });
  try {
    return (await exchange(configuration, 'oidc', answer, challenge)).claims;
  } catch (error) {
    throw faultOf(error);
  }
}

/** Exchanges the code of an answer; the claims of OAuth are empty. */
async function exchange(
  configuration: client.Configuration,
  kind: Provider['kind'],
  answer: URL,
  challenge: Challenge,
): Promise<{ tokens: Tokens; claims: Claims }> {
  const tokens = await client.authorizationCodeGrant(configuration, answer, {
    expectedState: challenge.state,
    pkceCodeVerifier: challenge.verifier,
    ...(kind === 'oidc' && { expectedNonce: challenge.nonce, idTokenExpected: true }),
  });
  return { tokens, claims: kind === 'oidc' ? await claimsOf(configuration, tokens) : {} };
}

/**
 * Returns where a reader signs out of a provider (OpenID Connect RP-Initiated Logout 1.0).
 * @param returnUrl where the provider leads back to; registered there
 * @returns undefined if it has no such address
 * @throws DocentError `dependency_unavailable`, `sign_in_required`
 */
export async function endSessionAddress(
  deps: ProviderDeps,
  settings: NonNullable<StoredMethods['oidc']>,
  returnUrl: string,
): Promise<string | undefined> {
  const configuration = await configurationOf(deps, { kind: 'oidc', settings });
  const address = configuration.serverMetadata().end_session_endpoint;
  if (address === undefined || !URL.canParse(address) || !/^https?:/i.test(address))
    return undefined;
  return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnUrl }).href;
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/**
 * The claims of the ID token, and those that the provider has for its user only (OpenID Connect
 * Core §5.3).
 */
async function claimsOf(configuration: client.Configuration, tokens: Tokens): Promise<Claims> {
  const claims = tokens.claims();
  if (!claims) throw refusedSignIn('the provider sent no ID token.');
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return {
    ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)),
    ...claims,
  };
}

async function signInFrom(
  configuration: client.Configuration,
  { kind, settings }: Provider,
  accessToken: string,
  claims: Claims,
): Promise<SignIn> {
  if (kind === 'oidc') requireDomain(settings.emailDomains, claims);
  const information =
    settings.informationUrl === null
      ? {}
      : await informationOf(configuration, accessToken, settings.informationUrl);
  const facts = readUserObject(information);
  if (typeof facts === 'string') throw refusedSignIn(facts);
  const claimed = kind === 'oidc' ? userOf(settings, claims) : { groups: [], content: {} };
  const all = readUserObject({
    groups: [...claimed.groups, ...facts.user.groups],
    content: { ...claimed.content, ...facts.user.content },
    apiPlaygroundInputs: facts.user.apiPlaygroundInputs,
  });
  if (typeof all === 'string') throw refusedSignIn(all);
  const subject = subjectOf({ ...information, ...claims });

  if (subject === undefined && !isUserObject(information))
    throw refusedSignIn(
      'the provider does not say who it is: the information needs "sub", "id", "email", or a user object.',
    );
  const place = kind === 'oidc' ? settings.issuer : settings.tokenUrl;
  // A user object without an id is enough; then each sign-in is another reader.
  const id = String(subject ?? randomUUID()).slice(0, 300);
  return {
    method: kind,
    generation: settings.generation,
    reader: { id: `${kind}:${place}|${id}`, ...all.user },
    name: nameOf({ ...information, ...claims }),
    expiresAt: facts.expiresAt,
  };
}

function subjectOf({ sub, id, email }: Claims): string | number | undefined {
  return [sub, id, email].find(
    (value): value is string | number => typeof value === 'string' || typeof value === 'number',
  );
}

async function informationOf(
  configuration: client.Configuration,
  accessToken: string,
  url: string,
): Promise<Claims> {
  const response = await client.fetchProtectedResource(
    configuration,
    accessToken,
    new URL(url),
    'GET',
  );
  if (!response.ok)
    throw refusedSignIn(`the information endpoint answers with status ${response.status}.`);
  const information: unknown = await response.json().catch(() => undefined);
  if (typeof information !== 'object' || information === null)
    throw refusedSignIn('the information endpoint answers with no object.');
  return information as Claims;
}

function userOf(settings: NonNullable<StoredMethods['oidc']>, claims: Claims) {
  const { given_name: firstName, family_name: lastName, name, email } = claims;
  const content = contentOf({ firstName, lastName, name, email });
  return { groups: groupsIn(settings, claims), content };
}

/**
 * Reads groups from a claim: a list, or a text with a delimiter. A name with dots may lead into an
 * object, as in Keycloak.
 */
export function groupsIn(
  {
    groupsClaim,
    groupsDelimiter,
  }: Pick<NonNullable<StoredMethods['oidc']>, 'groupsClaim' | 'groupsDelimiter'>,
  claims: Claims,
): string[] {
  if (groupsClaim === null) return [];
  const inside = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Claims)[name]
      : undefined;
  const value =
    inside(claims, groupsClaim) ?? groupsClaim.split('.').reduce<unknown>(inside, claims);
  if (typeof value === 'string') return groupsDelimiter ? value.split(groupsDelimiter) : [value];
  return Array.isArray(value) ? value.filter((group) => typeof group === 'string') : [];
}

async function configurationOf(
  deps: ProviderDeps,
  provider: Provider,
): Promise<client.Configuration> {
  const { clientId, secret } = provider.settings;
  const clientSecret =
    secret === null ? undefined : openSecret(deps.secret, 'providers of readers', secret);
  if (secret !== null && clientSecret === undefined)
    throw refusedSignIn(
      'the secret of the provider cannot be read with the secret of this server; its owner must set it again.',
    );
  const server =
    provider.kind === 'oidc'
      ? await discovered(deps, provider.settings.issuer)
      : serverOf(provider.settings);
  const methods = server.token_endpoint_auth_methods_supported;
  const isBasic =
    methods !== undefined &&
    !methods.includes('client_secret_post') &&
    methods.includes('client_secret_basic');
  const authentication =
    clientSecret === undefined
      ? client.None()
      : isBasic
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret);
  const configuration = new client.Configuration(server, clientId, {}, authentication);
  configuration[client.customFetch] = (url, options) => guardedFetch(deps, url, options);
  // The settings allow http only at addresses that the operator must allow.
  client.allowInsecureRequests(configuration);
  // Tokens come from the provider itself, but a signature costs little.
  if (provider.kind === 'oidc') client.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Further addresses of a provider that are requested, or that browsers are sent to. */
const FURTHER = ['jwks_uri', 'userinfo_endpoint', 'end_session_endpoint'] as const;

/** OpenID Connect Discovery 1.0: what is found must be of the issuer that the owner named. */
async function discovered(
  { providerDocuments }: ProviderDeps,
  issuer: string,
): Promise<client.ServerMetadata> {
  const bare = issuer.replace(/\/$/, '');
  const document = await providerDocuments.read(`${bare}/.well-known/openid-configuration`);
  const { issuer: name, authorization_endpoint: authorization, token_endpoint: token } = document;
  const isWhole = [authorization, token].every(
    (address) => typeof address === 'string' && /^https?:\/\//i.test(address),
  );
  if (typeof name !== 'string' || name.replace(/\/$/, '') !== bare || !isWhole)
    throw refusedSignIn(
      `the provider describes itself as ${String(name).slice(0, 200)}, not as the issuer ${issuer}.`,
    );
  for (const address of [authorization, token, ...FURTHER.map((name) => document[name])])
    if (typeof address === 'string' && travelsInTheClear(address))
      throw refusedSignIn(
        `the provider names ${address.slice(0, 200)}, which is not an https address.`,
      );
  return document as unknown as client.ServerMetadata;
}

/** A server without discovery has no issuer; its answers are bound by state and PKCE. */
function serverOf({
  authorizationUrl,
  tokenUrl,
}: NonNullable<StoredMethods['oauth']>): client.ServerMetadata {
  return {
    issuer: new URL(tokenUrl).origin,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
  };
}

/**
 * Like `fetch`, to addresses that the server may connect to, without redirects, and with bounded
 * answers.
 */
async function guardedFetch(
  { outsideCalls }: ProviderDeps,
  url: string,
  { method, headers, body, signal }: client.CustomFetchOptions,
): Promise<Response> {
  const text = body === undefined || body === null ? undefined : body.toString();
  const answer = await outsideCalls.call({
    url,
    method,
    headers: Object.entries(headers),
    body: text === undefined ? undefined : new TextEncoder().encode(text),
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new DocentError(
        'dependency_unavailable',
        'The identity provider answers with too much.',
      );
    chunks.push(chunk);
  }
  const content = [101, 204, 205, 304].includes(answer.status) ? null : Buffer.concat(chunks, size);
  return new Response(content, {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  });
}

function faultOf(error: unknown): unknown {
  if (error instanceof DocentError) return error;
  if (error instanceof client.AuthorizationResponseError)
    return refusedSignIn(`the provider says ${error.error.slice(0, 100)}.`);
  if (error instanceof client.ResponseBodyError)
    return refusedSignIn(`the provider says ${error.error.slice(0, 100)} to the code.`);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && cause.name === 'OutsideFault')
    return new DocentError(
      'dependency_unavailable',
      `The identity provider cannot be reached: ${cause.message}`,
      { cause },
    );
  if (error instanceof client.ClientError || error instanceof client.WWWAuthenticateChallengeError)
    return refusedSignIn(
      'its answer does not belong to this sign-in, or is not signed by the provider.',
    );
  return error;
}
