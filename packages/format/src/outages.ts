import type { Dependency } from './dependencies.ts';
import { DocentError } from './errors.ts';

const codes = (text: string) => text.split(' ');

/** Codes of Node.js and PostgreSQL for something that is temporarily unavailable. */
const outageCodes: ReadonlyMap<string, Dependency> = new Map([
  ...codes(
    '53000 53100 53200 53300 53400 57P01 57P02 57P03 58030 08000 08001 08003 08004 08006',
  ).map((code) => [code, 'database'] as const),
  ...codes('ENOSPC EDQUOT').map((code) => [code, 'disk'] as const),
  ...codes(
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN EMFILE ENFILE',
  ).map((code) => [code, 'service'] as const),
]);
/**
 * Messages of the PostgreSQL client for a connection that broke, is silent or could not be opened;
 * these errors have no code.
 */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired)/;

/**
 * Returns what is temporarily unavailable if an error says so, and a retry may succeed; `undefined`
 * for every other error. The only place that decides what an outage is.
 */
export function outageOf(error: unknown): Dependency | undefined {
  if (error instanceof DocentError)
    return error.code === 'dependency_unavailable' ? (error.dependency ?? 'service') : undefined;
  const code = errorCode(error);
  if (code !== '') return outageCodes.get(code);
  return error instanceof Error && brokenConnection.test(error.message) ? 'database' : undefined;
}

/**
 * Returns whether an error means that a dependency is temporarily unavailable, so that a retry may
 * succeed.
 */
export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/**
 * Returns whether an error means that a disk is full, that of the database too (SQLSTATE 53100):
 * only people can change that.
 */
export function isDiskFull(error: unknown): boolean {
  return outageOf(error) === 'disk' || errorCode(error) === '53100';
}

/** Returns the `code` of an error of Node.js, PostgreSQL or Fastify; empty if it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : '';
}
