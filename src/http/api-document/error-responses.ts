import { STATUS_CODES } from 'node:http';
import { DocentError, type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { PROBLEM_TYPE, problemOf, statusOf } from '../problem.ts';
import { type Response, SCHEMAS } from './document-model.ts';
import { headerReferences, type ResponseHeader } from './response-headers.ts';

/** Errors of the CLI and of startup, which no operation returns. */
const notOverHttp: ReadonlySet<string> = new Set(['invalid_setting', 'data_folder_in_use', 'port_in_use', 'build_failed']);

const headersByStatus: Record<number, ResponseHeader[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['Retry-After'],
};

/** Returns the name of the shared response of a status, `NotFound` for 404. */
export function errorResponseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^a-z]/gi, '');
}

/** Returns the shared response for an error status, with an example for each code. */
export function errorResponse(status: number): Response {
  const errors = (Object.keys(errorCatalogue) as ErrorCode[])
    .filter((code) => !notOverHttp.has(code))
    .map((code) => new DocentError(code, `${errorCatalogue[code].title}.`))
    .filter((error) => statusOf(error) === status);
  const examples = errors.map((error) => {
    const value = problemOf(error, { requestId: '6a1c9a52-6a53-4a0b-9d0c-2f6a3f6f0f0e', isDiscovery: false });
    return [error.code, { summary: error.title, value }] as const;
  });
  return {
    description: `${errors.map(({ title, code }) => `${title} (\`${code}\`)`).join('; ')}.`,
    headers: headerReferences(['X-Request-Id', ...(headersByStatus[status] ?? [])]),
    content: {
      [PROBLEM_TYPE]: { schema: { $ref: `${SCHEMAS}Problem` }, examples: Object.fromEntries(examples) },
      'text/plain': {
        schema: { type: 'string', description: 'Only `detail`, if `Accept` contains `text/plain` and no JSON.' },
        example: errors[0]?.message,
      },
    },
  };
}
