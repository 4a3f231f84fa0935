import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Action, type Actor, isManagementChange, requirePermission } from '../core/access/may.ts';
import { DocentError } from '../core/errors.ts';
import { findOrganisation } from '../db/organisations.ts';
import { authenticate } from '../services/access/authenticate.ts';
import { findMember } from '../services/accounts/members.ts';
import { ensureDefaultOrganisation } from '../services/accounts/setup.ts';
import type { Deps } from '../services/deps.ts';
import { clientOf } from './client-of.ts';
import { isOperatorRequest } from './operator.ts';
import { requirePlatformOrigin } from './same-origin.ts';
import { findSession } from './sessions.ts';

export type IdentifyDeps = Pick<Deps, 'database' | 'clock' | 'logger' | 'config' | 'keyCache' | 'accounts'>;

const callers = new WeakMap<FastifyRequest, { actor: Actor; action: Action }>();

/** An `onRequest` hook that authenticates the caller and refuses unauthorized ones before the body is read. */
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

const accountChanges = new WeakMap<FastifyRequest, { userId: string; action?: string | undefined }>();

/**
 * Sets the account that an operation changes, for the audit logs of its organizations.
 * @param action what it does, if the name of the operation does not say so
 */
export function noteAccountChange(request: FastifyRequest, userId: string, action?: string): void {
  accountChanges.set(request, { userId, action });
}

/** Returns the account that the operation changes, if any. */
export function accountChangeOf(request: FastifyRequest): { userId: string; action?: string | undefined } | undefined {
  return accountChanges.get(request);
}

/** A key takes precedence over a session: a caller that sends one means it. */
async function findActor(
  deps: IdentifyDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  if (isOperatorRequest(request)) return localOperator(deps, request);
  const session = request.headers.authorization === undefined ? await findSession(deps, request, reply) : undefined;
  if (!session) return keyHolder(deps, request, onKnown);
  requirePlatformOrigin(deps.config, request);
  return findMember(deps, { sessionId: session.sessionId, userId: session.user.id }, organisationOf(request), onKnown);
}

/** Returns the organization that a person or the operator selects. */
function organisationOf({ headers }: FastifyRequest): string | undefined {
  const name = headers['docent-organisation'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

async function localOperator(deps: Pick<Deps, 'database' | 'clock'>, request: FastifyRequest): Promise<Actor> {
  const name = organisationOf(request);
  const found = name === undefined ? await ensureDefaultOrganisation(deps) : await findOrganisation(deps.database.queries, name);
  if (!found) throw new DocentError('organisation_not_found', `There is no organization "${name?.slice(0, 100)}".`);
  return { kind: 'operator', organisationId: found.id, plan: found.plan };
}

function keyHolder(deps: IdentifyDeps, request: FastifyRequest, onKnown: (actor: Actor) => void): Promise<Actor> {
  const { authorization, origin } = request.headers;
  return authenticate(deps, { authorization, origin, ip: clientOf(deps, request) }, onKnown);
}

/** Returns the actor; only in operations that have `requireActor`. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = callers.get(request)?.actor;
  if (!actor) throw new Error(`The operation ${request.method} ${request.routeOptions.url} does not ask who calls it.`);
  return actor;
}

/**
 * Returns the actor of an operation that changes something in the organization. Assistant keys are public: their refusals are not
 * worth logging.
 */
export function managedBy(request: FastifyRequest): Actor | undefined {
  const caller = callers.get(request);
  return caller && isManagementChange(caller.action) && caller.actor.kind !== 'assistant-key' ? caller.actor : undefined;
}
