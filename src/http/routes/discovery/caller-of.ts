import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/assistant/assistant-question.ts';

/** A browser says for which page it asks and no page can keep it from that; programs have no reason to. */
export function callerOf({ headers }: Pick<FastifyRequest, 'headers'>): Caller {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined ? 'web' : 'api';
}
