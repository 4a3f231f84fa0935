import { errorMessage } from '../../core/error-message.ts';

/** A rejected field of a request, by JSON pointer into the body. */
interface FieldFault {
  path: string;
  message: string;
}

/** An error response of the API (RFC 9457). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: readonly FieldFault[];

  constructor(message: string, facts: { status: number; code: string; requestId?: string; faults?: readonly FieldFault[] }) {
    super(message);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.faults = facts.faults ?? [];
  }
}

/** Reads the problem in an API response; responses of others (proxies, better-auth) are read as far as possible. */
export async function problemOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = [body.detail, body.message, body.title].find((one) => typeof one === 'string');
  return new ApiError(text ?? `The server returned ${response.status}.`, {
    status: response.status,
    code: typeof body.code === 'string' ? body.code : 'unknown',
    requestId: response.headers.get('x-request-id') ?? undefined,
    faults: Array.isArray(body.errors) ? (body.errors as FieldFault[]) : [],
  });
}

/** Describes an error in a sentence: of the API, of the network, or our own. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server cannot be reached. Check the connection and try again.';
  return errorMessage(error);
}
