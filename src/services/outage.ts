/** Codes of Node.js and PostgreSQL for something that is temporarily unavailable. */
const outageCodes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENOSPC 53100 53200 53300 58030 57P01 57P02 57P03 08000 08001 08003 08004 08006'.split(
    ' ',
  ),
);
/** Messages of the PostgreSQL client for a connection that broke or could not be opened; these errors have no code. */
const brokenConnection =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/** Returns whether an error means that a dependency is temporarily unavailable, so that a retry may succeed. */
export function isOutage(error: unknown): boolean {
  const code = errorCode(error);
  return outageCodes.has(code) || (error instanceof Error && code === '' && brokenConnection.test(error.message));
}

/** Returns the `code` of an error of Node.js, PostgreSQL or Fastify; empty if it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
