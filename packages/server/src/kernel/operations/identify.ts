import type { Server, Socket } from 'node:net';
import { formatIp } from '@docent/format/access/ip.ts';
import { type Action, type Actor, requirePermission } from '@docent/format/access/may.ts';
import type { DeploymentSource } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountAnswer, AccountRequest, AccountUser } from '../../ports/accounts.ts';
import { authenticate } from '../access/authenticate.ts';
import type { Consequence } from '../access/consequence.ts';
import { ensureDefaultOrganization } from '../access/default-organization.ts';
import { findMember } from '../access/find-member.ts';
import { findSessionScope } from '../access/member-queries.ts';
import { findOrganization } from '../access/organization-queries.ts';
import type { Config } from '../config/config.ts';

import type { Deps } from '../deps.ts';
import { requirePlatformOrigin } from '../http/browser-origins.ts';
import { clientOf } from '../http/client-of.ts';

export type IdentifyDeps = Pick<
  Deps,
  'database' | 'clock' | 'logger' | 'config' | 'keyCache' | 'accounts'
>;

const callers = new WeakMap<FastifyRequest, { actor: Actor; action: Action }>();

/**
 * An `onRequest` hook that authenticates the caller and refuses unauthorized ones before the body
 * is read.
 */
export function requireActor(deps: IdentifyDeps, action: Action) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Set before anything is refused, so that the audit log has it.
    const note = (actor: Actor) => noteActor(request, actor, action);
    const actor = await findActor(deps, request, reply, note);
    note(actor);
    requirePermission(actor, action);
  };
}

/** Sets the actor of an operation that identifies the caller itself; for the audit log. */
export function noteActor(request: FastifyRequest, actor: Actor, action: Action): void {
  callers.set(request, { actor, action });
}

/**
 * Returns who sent a request and what they need permission for; undefined while that is unknown.
 */
export function callerOf(request: FastifyRequest): { actor: Actor; action: Action } | undefined {
  return callers.get(request);
}

interface AccountChange {
  userId: string;
  /** What it does, if the name of the operation does not say so. */
  action?: string | undefined;
  /**
   * Whether the response does not wait for the entry, because that would tell whether the account
   * exists.
   */
  isSecret?: boolean | undefined;
}

const accountChanges = new WeakMap<FastifyRequest, AccountChange>();

/** Sets the account that an operation changes, for the audit logs of its organizations. */
export function noteAccountChange(
  request: FastifyRequest,
  userId: string,
  action?: string,
  isSecret?: boolean,
): void {
  accountChanges.set(request, { userId, action, isSecret });
}

/** Undoes `noteAccountChange`: nothing has changed yet. */
export function forgetAccountChange(request: FastifyRequest): void {
  accountChanges.delete(request);
}

/** Returns the account that a request changes, if it changes one. */
export function accountChangeOf(request: FastifyRequest): AccountChange | undefined {
  return accountChanges.get(request);
}

const consequences = new WeakMap<FastifyRequest, readonly Consequence[]>();

/** Sets what an operation did besides what it is called for, for the audit log. */
export function noteConsequences(request: FastifyRequest, done: readonly Consequence[]): void {
  consequences.set(request, done);
}

/** Returns what an operation did besides what it is called for. */
export function consequencesOf(request: FastifyRequest): readonly Consequence[] {
  return consequences.get(request) ?? [];
}

/** A key takes precedence over a session: a caller that sends one means it. */
async function findActor(
  deps: IdentifyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  if (isOperatorRequest(request)) return localOperator(deps, request);
  const session =
    request.headers.authorization === undefined
      ? await findSession(deps, request, reply)
      : undefined;
  if (!session) {
    const { authorization, origin } = request.headers;
    return authenticate(deps, { authorization, origin, ip: clientOf(deps, request) }, onKnown);
  }
  requirePlatformOrigin(deps.config, request);
  return findMember(
    deps,
    { sessionId: session.sessionId, userId: session.user.id, ip: clientOf(deps, request) },
    organizationOf(request),
    onKnown,
  );
}

/** Returns the organization that a person or the operator selects. */
function organizationOf({ headers }: FastifyRequest): string | undefined {
  const name = headers['docent-organization'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

async function localOperator(
  deps: Pick<Deps, 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<Actor> {
  const name = organizationOf(request);
  const organization =
    name === undefined
      ? await ensureDefaultOrganization(deps)
      : await findOrganization(deps.database.queries, name);
  if (!organization)
    throw new DocentError(
      'organization_not_found',
      `There is no organization "${name?.slice(0, 100)}".`,
    );
  return { kind: 'operator', organizationId: organization.id, plan: organization.plan };
}

/** Returns the actor; only in operations that have `requireActor`. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = callers.get(request)?.actor;
  if (!actor)
    throw new Error(
      `The operation ${request.method} ${request.routeOptions.url} does not ask who calls it.`,
    );
  return actor;
}

/** The parts of a request that the accounts adapter needs. */
export function accountRequestOf(
  deps: { config: Pick<Config, 'trustedProxies'> },
  request: FastifyRequest,
): AccountRequest {
  const client = clientOf(deps, request);
  const { cookie, 'user-agent': userAgent } = request.headers;
  return { cookie, userAgent, address: client && formatIp(client) };
}

/** Returns the session of a request's cookies. Sets renewed cookies on the reply. */
export async function findSession(
  { accounts, config }: Pick<Deps, 'accounts' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Most requests have no session; skip the library for them.
  if (!request.headers.cookie?.includes(`${accounts.cookieName}=`)) return undefined;
  const session = await accounts.findSession(accountRequestOf({ config }, request));
  if (session) setCookies(reply, session.cookies);
  return session;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/**
 * Returns the session of a request, unless it has been revoked in the meantime, and the
 * organization that it is limited to.
 */
export async function findKeptSession(
  deps: Pick<Deps, 'accounts' | 'config' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const session = await findSession(deps, request, reply);
  const organizationId =
    session && (await findSessionScope(deps.database.queries, session.sessionId));
  return session && organizationId !== undefined ? { ...session, organizationId } : undefined;
}

/**
 * Like `findKeptSession`, for what concerns the account: a session of the provider of an
 * organization reaches nothing of it, because that provider could sign in anybody as its members.
 * @throws DocentError `unauthenticated`, `account_session_required`
 */
async function requireSession(...[deps, request, reply]: Parameters<typeof findKeptSession>) {
  const session = await findKeptSession(deps, request, reply);
  if (!session)
    throw new DocentError(
      'unauthenticated',
      'You are not signed in, or the session has ended; sign in again.',
    );
  requireOfAccount(session);
  return session;
}

function requireOfAccount({ organizationId }: { organizationId: string | null }): void {
  if (organizationId === null) return;
  throw new DocentError(
    'account_session_required',
    'You came in through the identity provider of an organization, which reaches nothing of your account; sign in with the account itself.',
  );
}

/**
 * Refuses a session that is limited to an organization; others, and none, pass. @throws DocentError
 * `account_session_required`
 */
export async function refuseOrganizationSession(
  ...parameters: Parameters<typeof findKeptSession>
): Promise<void> {
  const session = await findKeptSession(...parameters);
  if (session) requireOfAccount(session);
}

/**
 * Returns the person who is signed in to their account, and has not been signed out in the
 * meantime.
 */
export async function findSignedIn(
  ...parameters: Parameters<typeof findKeptSession>
): Promise<AccountUser | undefined> {
  const session = await findKeptSession(...parameters);
  return session?.organizationId === null ? session.user : undefined;
}

/** Like `findSignedIn`. @throws DocentError `unauthenticated` */
export async function requireSignedIn(
  ...parameters: Parameters<typeof findKeptSession>
): Promise<AccountUser> {
  return (await requireSession(...parameters)).user;
}

/** How long after a sign-in its person need not prove again who they are. */
const RECENT_MINUTES = 10;

/**
 * Returns the session of somebody who signed in a moment ago. Whoever finds a browser open can
 * neither end the other sessions of its person nor change how they sign in (OWASP ASVS 5.0, 7.5.1
 * and 7.5.2).
 * @throws DocentError `unauthenticated`, `recent_sign_in_required`
 */
export async function requireRecentSignIn(
  deps: Pick<Deps, 'accounts' | 'clock' | 'config' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const session = await requireSession(deps, request, reply);
  if (deps.clock.now().getTime() - session.startedAt.getTime() <= RECENT_MINUTES * 60_000)
    return session;
  const detail = `This needs a sign-in of the last ${RECENT_MINUTES} minutes; sign in again, then repeat it.`;
  throw new DocentError('recent_sign_in_required', detail);
}

/** Signs a person in whose password was just set. @returns the response of the accounts adapter */
export async function startSession(
  deps: Pick<Deps, 'accounts' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: { email: string; password: string },
): Promise<AccountAnswer> {
  const signIn = {
    ...accountRequestOf(deps, request),
    method: 'POST',
    path: '/sign-in/email',
    body,
  } as const;
  const begun = await deps.accounts.perform(signIn);
  setCookies(reply, begun.cookies);
  return begun;
}

/** What `docent` names itself in requests. */
export const COMMAND_LINE_AGENT = 'docent-cli';

/** Returns how a request that starts a deployment was made. */
export function sourceOf(request: FastifyRequest, actor: Actor): DeploymentSource {
  if (actor.kind === 'member') return request.method === 'PUT' ? 'upload' : 'dashboard';
  return request.headers['user-agent'] === COMMAND_LINE_AGENT ? 'cli' : 'api';
}

const operatorSockets = new WeakSet<Socket>();

/**
 * Lets another server feed the same application. Everyone who can connect to it is the local
 * operator: it must listen on a unix socket in the data folder, which only its owner can open.
 * @returns a function that ends its connections, before what their requests need is closed
 */
export function attachOperator(app: FastifyInstance, server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    operatorSockets.add(socket);
    app.server.emit('connection', socket);
  };
  server.on('connection', accept);
  return async () => {
    server.off('connection', accept);
    for (const socket of sockets) socket.destroy();
  };
}

export function isOperatorRequest({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return operatorSockets.has(raw.socket);
}
