import { errorMessage } from '@docent/format/error-message.ts';
import createClient, {
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import type { components, paths } from '../../../../dist/openapi.d.ts';
import { dropEarlyAnswer } from './early-answer.ts';
import { proveAgain, regainSession } from './session-end.ts';

/** A resource of the API, by its name in the API description. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

let organization: string | undefined;

/** Selects the user's organization for the following requests. */
export function selectOrganization(slug: string): void {
  organization = slug;
}

/** Requests that a signed-out user makes to sign in; their refusal is an answer. */
const SIGN_IN = /^\/v1\/auth\/(?:sign-in\/|two-factor\/verify-)/;

/**
 * Sends a request for the selected organization. If the session has ended, it waits until the user
 * has signed in again, and is repeated; so it does if the sign-in is too long ago for it.
 * @throws ApiError if the server refuses it
 */
export async function request(input: Request | string, init?: RequestInit): Promise<Response> {
  const make = () => {
    const apiRequest = input instanceof Request ? input.clone() : new Request(input, init);
    if (organization !== undefined) apiRequest.headers.set('docent-organization', organization);
    return apiRequest;
  };
  const sent = make();
  const isChange = sent.method !== 'GET';
  if (isChange) dropEarlyAnswer();
  const response = await fetch(sent);
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.code === 'recent_sign_in_required' && (await proveAgain()))
    return request(input, init);
  if (problem.code !== 'unauthenticated' || SIGN_IN.test(new URL(sent.url).pathname)) throw problem;
  if (!(await regainSession(isChange)))
    throw new ApiError('You are signed out. Sign in again, then repeat this.', response);
  const repeated = await fetch(make());
  if (!repeated.ok) throw await problemOf(repeated);
  return repeated;
}

const client = createClient<paths>({ fetch: request });
type Client = typeof client;
type Method = 'get' | 'post' | 'patch' | 'delete';

type Options<Path extends ClientPathsWithMethod<Client, Verb>, Verb extends Method> = NonNullable<
  MaybeOptionalInit<paths[Path], Verb>
>;
/** `path`, `query` and `body` of a request, as its operation has them. */
type Init<Path extends ClientPathsWithMethod<Client, Verb>, Verb extends Method> = NonNullable<
  Options<Path, Verb>['params']
> &
  Pick<Options<Path, Verb>, 'body'>;

/** Sends a request and returns the body of its answer. @throws ApiError */
type Send<Verb extends Method> = <Path extends ClientPathsWithMethod<Client, Verb>>(
  path: Path,
  ...init: undefined extends MaybeOptionalInit<paths[Path], Verb>
    ? [init?: Init<Path, Verb>]
    : [init: Init<Path, Verb>]
) => Promise<MethodResponse<Client, Verb, Path>>;

const sendBy = <Verb extends Method>(method: Verb) =>
  (async (path: never, { body, ...params }: { body?: unknown } = {}) =>
    (await client.request(method, path, { params, body } as never)).data) as Send<Verb>;

/** The API client, typed by the API description. */
export const api = {
  get: sendBy('get'),
  post: sendBy('post'),
  patch: sendBy('patch'),
  delete: sendBy('delete'),
};

/**
 * Saves the response of an operation as a file. (A link cannot send the header that names the
 * organization.)
 * @throws ApiError
 */
export async function download(path: string, name: string): Promise<void> {
  downloadText(await (await request(path)).blob(), name);
}

/** Saves a text in the downloads of the browser. */
export function downloadText(text: Blob | string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  // Browsers start reading it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A rejected field of a request, by JSON pointer into the body. */
interface FieldFault {
  path: string;
  message: string;
}

/** An error response of the API (RFC 9457). */
export class ApiError extends Error {
  readonly status: number;
  /** Stable name of the error; `undefined` if somebody else than the API responded. */
  readonly code: string | undefined;
  readonly requestId: string | null;
  readonly faults: readonly FieldFault[];

  constructor(
    message: string,
    { status, headers }: Response,
    code?: string,
    faults: readonly FieldFault[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = headers.get('x-request-id');
    this.faults = faults;
  }
}

/**
 * Reads the problem in an API response; responses of others (proxies, better-auth) are read as far
 * as possible.
 */
async function problemOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = [body.detail, body.message, body.title].find(
    (candidate) => typeof candidate === 'string',
  );
  const faults = Array.isArray(body.errors) ? (body.errors as FieldFault[]) : [];
  const code = typeof body.code === 'string' ? body.code : undefined;
  return new ApiError(text ?? `The server returned ${response.status}.`, response, code, faults);
}

/** Describes an error in a sentence: of the API, of the network, or our own. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError)
    return 'The server cannot be reached. Check the connection and try again.';
  return errorMessage(error);
}
