import {
  DocentError,
  type ErrorCode,
  type ErrorKind,
  type FieldError,
} from '@docent/format/errors.ts';
import { html } from '@docent/format/html.ts';
import { errorCode, isOutage } from '@docent/format/outages.ts';
import { plainPage } from '@docent/theme/plain-page.ts';
import type { FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import * as z from 'zod';

const statusByKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  precondition: 412,
  'too-large': 413,
  misdirected: 421,
  unprocessable: 422,
  'headers-too-large': 431,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  internal: 500,
  'not-yet': 503,
  unavailable: 503,
};

export const PROBLEM_TYPE = 'application/problem+json';

/** RFC 9457, with the additional properties that clients of hosted services read. */
const problemSchema = z
  .object({
    message: z
      .string()
      .optional()
      .describe('The same text as `detail`; in assistant, search and page operations only.'),
    type: z
      .string()
      .describe('Path on this server of the page that explains this kind of problem.'),
    title: z
      .string()
      .describe('Title of the problem, the same for every problem with this `code`.'),
    status: z.int().describe('The HTTP status code.'),
    detail: z.string().describe('What is wrong with this request, and the remedy.'),
    error: z.string().describe('The same text as `detail`.'),
    code: z
      .string()
      .describe(
        'Stable identifier of the problem, for example `rate_limited`. Programs may depend on it.',
      ),
    requestId: z.string().describe('The `X-Request-Id` of the response.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('JSON pointer to the value that was rejected.'),
          message: z.string().describe('What is wrong with it.'),
        }),
      )
      .optional()
      .describe('The faults of a rejected request body, each with its location.'),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });

export type Problem = z.infer<typeof problemSchema>;

/**
 * Returns whether a client expects an error as a sentence: chat clients such as `useChat` show the
 * body unchanged.
 */
export function asksForText(accept = ''): boolean {
  return /\btext\/plain\b/i.test(accept) && !/json|\*\/\*/i.test(accept);
}

/**
 * Returns whether a client is a browser that shows the response to a person, who expects a page.
 */
export function asksForPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    /\btext\/html\b/i.test(accept) &&
    !/json/i.test(accept)
  );
}

/** Returns the HTTP status of an error code. */
export function statusOf(error: DocentError): number {
  return statusByKind[error.kind];
}

/** Returns the body of an error response. */
export function problemOf(
  error: DocentError,
  request: { requestId: string; isDiscovery: boolean },
): Problem {
  return {
    // First, because chat clients show the whole body to their readers.
    ...(request.isDiscovery && { message: error.message }),
    type: `/errors/${error.code}`,
    title: error.title,
    status: statusOf(error),
    detail: error.message,
    error: error.message,
    code: error.code,
    requestId: request.requestId,
    ...(error.errors && { errors: error.errors }),
  };
}

/** Renders a problem for a person. What is only not there yet is no error to report. */
export function problemPage({ title, detail, code, requestId }: Problem, isError: boolean): string {
  const footer = html`<footer>Error <code>${code}</code>, request <code>${requestId}</code></footer>`;
  return plainPage({
    title,
    heading: title,
    content: html`<p>${detail}</p>${isError ? footer : ''}`,
  });
}

const problemContent = {
  [PROBLEM_TYPE]: { schema: problemSchema },
  'text/plain': {
    schema: z.string().describe('Only `detail`, if `Accept` contains `text/plain` and no JSON.'),
  },
};
const problemResponse = (status: number) => ({
  description: `Status ${status}.`,
  content: problemContent,
});

/**
 * Returns the response schemas of the errors of an operation, for its declaration. Every operation
 * can fail with 500 and 503.
 */
export function problems<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(
    [...statuses, 500, 503].map((status) => [status, problemResponse(status)]),
  ) as Record<Status | 500 | 503, ReturnType<typeof problemResponse>>;
}

/** Errors of the HTTP framework by code. */
const frameworkErrors = new Map<string, [ErrorCode, string]>([
  [
    'FST_ERR_CTP_INVALID_JSON_BODY',
    ['malformed_json', 'The body is not valid JSON; check quotes, commas and brackets.'],
  ],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', ['malformed_json', 'The body is empty; send a JSON object.']],
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    [
      'unsupported_media_type',
      'This operation does not accept a body of that Content-Type; send application/json, or application/gzip for a source.',
    ],
  ],
  [
    'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    ['invalid_request', 'The body is not as long as Content-Length says; send it again.'],
  ],
  [
    'FST_ERR_BAD_URL',
    [
      'invalid_request',
      'The path contains a % that is not followed by two hexadecimal digits of valid UTF-8.',
    ],
  ],
  ['FST_ERR_MAX_PARAM_LENGTH', ['route_not_found', 'A segment of the path is too long.']],
]);

/**
 * Converts any error to one of the catalog. An unknown one becomes `internal_error`, which does not
 * reveal its cause.
 * @param bodyLimit of the operation, in bytes
 */
export function toDocentError(error: unknown, bodyLimit: number): DocentError {
  if (error instanceof DocentError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalidRequest(error.validation);
  if (errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new DocentError(
      'body_too_large',
      `The body is larger than ${sizeText(bodyLimit)}, the most that this operation accepts.`,
      { cause: error },
    );
  const frameworkError = frameworkErrors.get(errorCode(error));
  if (frameworkError)
    return new DocentError(frameworkError[0], frameworkError[1], { cause: error });
  if (isOutage(error)) {
    return new DocentError(
      'dependency_unavailable',
      'A service that the server depends on is unavailable; try again.',
      {
        cause: error,
      },
    );
  }
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error
      ? Number(error.statusCode)
      : 500;
  if (status >= 400 && status < 500)
    return new DocentError('invalid_request', 'The request is invalid.', { cause: error });
  return new DocentError(
    'internal_error',
    'Something went wrong on the server; its log has details under this request ID.',
    {
      cause: error,
    },
  );
}

function sizeText(bytes: number): string {
  const [divisor, unit] = bytes < 1024 ? [1, 'bytes'] : bytes < MB ? [1024, 'KB'] : [MB, 'MB'];
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`;
}

const MB = 1024 * 1024;

function invalidRequest(
  faults: readonly { instancePath: string; message?: string }[],
): DocentError {
  const errors: FieldError[] = faults.map(({ instancePath, message }) => ({
    path: instancePath === '/' ? '' : instancePath,
    message: message ?? 'not valid',
  }));
  const named = errors.map(({ path, message }) => `${path || 'the body'}: ${message}`).join('; ');
  return new DocentError('invalid_request', `The request is not valid: ${named}.`, { errors });
}
