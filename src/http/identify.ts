import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { clientAddress } from '../core/access/client-address.ts';
import type { IpAddress } from '../core/access/ip.ts';
import { type Action, type Actor, isManagementChange, requirePermission } from '../core/access/may.ts';
import { authenticate } from '../services/authenticate.ts';
import type { Deps } from '../services/deps.ts';
import { ensureDefaultOrganisation } from '../services/ensure-default-organisation.ts';
import { isOperatorRequest } from './operator.ts';

type IdentifyDeps = Pick<Deps, 'database' | 'clock' | 'logger' | 'config' | 'keyCache'>;

const callers = new WeakMap<FastifyRequest, { actor: Actor; action: Action }>();

/** The client's address as far as it is known; none on a unix socket. */
export function clientOf({ config }: { config: Pick<Config, 'trustedProxies'> }, request: FastifyRequest): IpAddress | undefined {
  const forwarded = request.headers['x-forwarded-for'];
  const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  return clientAddress(request.raw.socket.remoteAddress, forwardedFor, config.trustedProxies);
}

/** A hook for `onRequest`: tells who asks and refuses those who may not, before anything of the body is read. */
export function requireActor(deps: IdentifyDeps, action: Action) {
  return async (request: FastifyRequest): Promise<void> => {
    // Known before anything is refused, so that the audit log has it.
    const note = (actor: Actor) => callers.set(request, { actor, action });
    const actor = isOperatorRequest(request) ? await localOperator(deps) : await keyHolder(deps, request, note);
    note(actor);
    requirePermission(actor, action);
  };
}

async function localOperator(deps: Pick<Deps, 'database' | 'clock'>): Promise<Actor> {
  const { id, plan } = await ensureDefaultOrganisation(deps);
  return { kind: 'operator', organisationId: id, plan };
}

function keyHolder(deps: IdentifyDeps, request: FastifyRequest, onKnown: (actor: Actor) => void): Promise<Actor> {
  const { authorization, origin } = request.headers;
  return authenticate(deps, { authorization, origin, ip: clientOf(deps, request) }, onKnown);
}

/** Who asks; only in operations that have `requireActor`. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = callers.get(request)?.actor;
  if (!actor) throw new Error(`The operation ${request.method} ${request.routeOptions.url} does not ask who calls it.`);
  return actor;
}

/**
 * Who wants to change something of the organisation, where that is what the operation is for. Assistant keys are public: what is
 * refused to them is no news.
 */
export function managedBy(request: FastifyRequest): Actor | undefined {
  const caller = callers.get(request);
  return caller && isManagementChange(caller.action) && caller.actor.kind !== 'assistant-key' ? caller.actor : undefined;
}
