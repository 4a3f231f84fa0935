import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/assistant/assistant-question.ts';

/** A browser sends the origin of its page, which a page cannot prevent; programs have no reason to. */
export function callerOf({ headers }: Pick<FastifyRequest, 'headers'>): Caller {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined ? 'web' : 'api';
}
