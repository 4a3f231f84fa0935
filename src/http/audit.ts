import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatIp } from '../core/access/ip.ts';
import { recordAccountAudit, recordAudit } from '../services/access/audit-log.ts';
import type { Deps } from '../services/deps.ts';
import { clientOf } from './client-of.ts';
import { accountChangeOf, managedBy } from './identify.ts';

/** Names of identifiers in path parameters and responses, the most specific one for an operation first. */
const ID_NAMES = [
  'streamId',
  'feedbackId',
  'keyId',
  'jobId',
  'deploymentId',
  'statusId',
  'previewName',
  'id',
  'projectId',
] as const;

/**
 * An `onSend` hook that writes every management operation of a known caller to the audit log before its response is sent,
 * including refused ones. The only place that does; an operation takes part by requiring a permission that changes something.
 */
export function auditOperations(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'limiter' | 'logger'>) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> => {
    const actor = managedBy(request);
    const change = accountChangeOf(request);
    const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string };
    if ((!actor && !change) || operationId === undefined) return;
    const body = readBody(payload);
    const client = clientOf(deps, request);
    const entry = {
      action: change?.action ?? operationId,
      address: client ? formatIp(client) : null,
      outcome: reply.statusCode < 400 ? 'done' : reply.statusCode < 500 ? 'refused' : 'failed',
      code: reply.statusCode < 400 ? null : (textOf(body, 'code') ?? null),
    } as const;
    if (actor) await recordAudit(deps, actor, { ...entry, thing: idOf(request.params) ?? idOf(body) ?? null });
    if (change) await recordAccountAudit(deps, change.userId, entry);
  };
}

function idOf(value: unknown): string | undefined {
  return ID_NAMES.map((name) => textOf(value, name)).find((text) => text !== undefined);
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = value[name as keyof typeof value];
  return typeof found === 'string' ? found : undefined;
}

/** The body is our own JSON by now; a streamed one is not read. */
function readBody(payload: unknown): unknown {
  return typeof payload === 'string' && payload.startsWith('{') ? JSON.parse(payload) : undefined;
}
