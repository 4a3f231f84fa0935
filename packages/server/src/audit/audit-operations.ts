import { AUDITED } from '@docent/format/access/audit-words.ts';
import { formatIp } from '@docent/format/access/ip.ts';
import { type Actor, isManagementChange } from '@docent/format/access/may.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ensureDefaultOrganization } from '../kernel/access/default-organization.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { accountChangeOf, callerOf, consequencesOf } from '../kernel/operations/identify.ts';
import { announceLimit } from '../webhooks-out/emit/limit-reached.ts';
import { recordAccountAudit, recordAudit, recordConsequences } from './audit-log.ts';
import { findNamedThing, type NamedThing, type ThingPlace } from './audited-things.ts';

type AuditDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'limiter' | 'logger' | 'jobs'>;

/** Refusals that mean that a limit of the organization was reached. */
const LIMIT_CODES: readonly string[] = ['quota_exceeded', 'rate_limited'];

/**
 * Names of identifiers in path parameters and responses, the most specific one for an operation
 * first.
 */
const ID_NAMES = [
  'streamId',
  'webhookId',
  'githubAppId',
  'sourceId',
  'feedbackId',
  'keyId',
  'jobId',
  'deploymentId',
  'statusId',
  'previewName',
  'invitationId',
  'userId',
  'user',
  'id',
  'projectId',
] as const;
const SITE_NAMES = ['projectId', 'domain', 'site'] as const;

/**
 * Writes every management operation of a known caller to the audit log before its response is sent,
 * including refused ones. The only place that does; an operation takes part by requiring a
 * permission that changes something. What it acts on is read before it runs, because it may be gone
 * or different afterwards.
 */
export function auditOperations(app: App, deps: AuditDeps): void {
  const before = new WeakMap<FastifyRequest, NamedThing>();
  app.addHook('preHandler', (request, _reply, done) => {
    const caller = callerOf(request);
    if (!caller) return done();
    readThing(deps, caller.actor, request, undefined).then((thing) => {
      if (thing) before.set(request, thing);
      done();
    }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const [caller, change] = [callerOf(request), accountChangeOf(request)];
    if (!caller && !change) return done();
    record(request, reply, payload, caller, change).then(() => done(), done);
  });

  /**
   * The log of a deleted organization is gone with it. What the operator deletes is in that of their
   * own organization, with what they created; of what its owners delete, the server's log says so.
   */
  async function recordDeletion(
    actor: Actor,
    entry: Omit<Parameters<typeof recordAudit>[2], 'thing'>,
    organization: NamedThing | undefined,
  ): Promise<void> {
    if (actor.kind !== 'operator') return;
    const { id: organizationId } = await ensureDefaultOrganization(deps);
    const { name = null } = (organization?.state ?? {}) as { name?: string };
    await recordAudit(
      deps,
      { ...actor, organizationId },
      { ...entry, thing: actor.organizationId },
      { before: { name, site: null }, after: async () => undefined },
    );
  }

  async function record(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    caller: ReturnType<typeof callerOf>,
    change: ReturnType<typeof accountChangeOf>,
  ): Promise<void> {
    // Reading may need a permission that changes things, and changes nothing. Assistant keys are
    // public: their refusals are not worth logging.
    const isManaging =
      caller &&
      request.method !== 'GET' &&
      isManagementChange(caller.action) &&
      caller.actor.kind !== 'assistant-key';
    const actor = isManaging ? caller.actor : undefined;
    const operationId = operationOf(request);
    const action = change?.action ?? operationId;
    if ((!actor && !change) || action === undefined) return;
    const body = readBody(payload);
    const client = clientOf(deps, request);
    const entry = {
      action,
      address: client ? formatIp(client) : null,
      requestId: request.id,
      outcome: reply.statusCode < 400 ? 'done' : reply.statusCode < 500 ? 'refused' : 'failed',
      code: reply.statusCode < 400 ? null : (textOf(body, 'code') ?? null),
    } as const;
    if (actor && LIMIT_CODES.includes(entry.code ?? ''))
      await sendLimit(deps, actor, `${entry.code} ${action}`, textOf(body, 'detail') ?? '');
    const thing = {
      before: before.get(request),
      after: () => readThing(deps, actor as Actor, request, body),
    };
    if (actor && action === 'deleteOrganization' && entry.outcome === 'done')
      await recordDeletion(actor, entry, thing.before);
    else if (actor)
      await recordAudit(
        deps,
        actor,
        { ...entry, thing: firstText([request.params, body], ID_NAMES) ?? null },
        thing,
      );
    if (actor && reply.statusCode < 400)
      await recordConsequences(deps, actor, entry, consequencesOf(request));
    const recorded = change && recordAccountAudit(deps, change.userId, entry);
    if (!change?.isSecret) await recorded;
  }
}

/** Never fails: the refusal is the answer in any case. */
async function sendLimit(deps: AuditDeps, actor: Actor, limit: string, title: string) {
  const { organizationId } = actor;
  const path = 'settings/usage';
  await announceLimit(deps, { organizationId, siteId: null, limit, title, path }).catch((error) =>
    deps.logger.error({ limit, reason: errorMessage(error) }, 'an event could not be sent'),
  );
}

/** Never fails: an entry without names is better than an operation that fails for want of them. */
async function readThing(
  { database, logger }: AuditDeps,
  actor: Actor,
  request: FastifyRequest,
  body: unknown,
): Promise<NamedThing | undefined> {
  const kind = AUDITED[operationOf(request) ?? '']?.thing;
  if (kind === undefined || actor.kind === 'assistant-key') return undefined;
  const place: ThingPlace = {
    organizationId: actor.organizationId,
    // A response names what was created, where the path names only the site.
    id: ID_NAMES.map((name) => firstText([request.params, body], [name])).find(
      (text) => text !== undefined,
    ),
    site: firstText([request.params, request.body, body], SITE_NAMES),
    branch: textOf(request.body, 'branch') ?? textOf(request.query, 'preview'),
    hostname: textOf(request.params, 'hostname') ?? textOf(request.body, 'hostname'),
    groups: groupsIn(request.body),
  };
  try {
    return await findNamedThing(database.queries, kind, place);
  } catch (error) {
    logger.warn(
      { operation: operationOf(request), reason: errorMessage(error) },
      'the names of an audited operation are unknown',
    );
    return undefined;
  }
}

function operationOf(request: FastifyRequest): string | undefined {
  return (request.routeOptions.schema as { operationId?: string } | undefined)?.operationId;
}

function firstText(values: readonly unknown[], names: readonly string[]): string | undefined {
  return values
    .flatMap((value) => names.map((name) => textOf(value, name)))
    .find((text) => text !== undefined);
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const text: unknown = value[name as keyof typeof value];
  return typeof text === 'string' ? text : undefined;
}

function groupsIn(body: unknown): string | undefined {
  const { groups } = (body ?? {}) as { groups?: unknown };
  return Array.isArray(groups) ? groups.join(', ') : undefined;
}

/** The body is our own JSON by now; a streamed one is not read. */
function readBody(payload: unknown): unknown {
  return typeof payload === 'string' && payload.startsWith('{') ? JSON.parse(payload) : undefined;
}
