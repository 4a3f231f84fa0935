import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../../dist/openapi.d.ts';
import { problemOf } from './problem.ts';

/** A resource of the API, by its name in the API description. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

let organisation: string | undefined;

/** Selects the user's organization for the following requests. */
export function selectOrganisation(slug: string | undefined): void {
  organisation = slug;
}

/** The header that names the organization of a request. */
export function organisationHeader(): Record<string, string> {
  return organisation === undefined ? {} : { 'docent-organisation': organisation };
}

const middleware: Middleware = {
  onRequest: ({ request }) => {
    for (const [name, value] of Object.entries(organisationHeader())) request.headers.set(name, value);
    return request;
  },
  onResponse: async ({ response }) => {
    if (!response.ok) throw await problemOf(response);
  },
};

/** The API client, typed by the API description. Throws unsuccessful responses as `ApiError`. */
export const api = createClient<paths>({ credentials: 'same-origin' });
api.use(middleware);

/** Body type of an `api` response. */
export async function bodyOf<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  return (await answer).data as Data;
}

/**
 * Sends a request to an operation that the description does not contain: sign-in (`/v1/auth/…`) and uploads.
 * @throws ApiError
 */
export async function send<Data>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Data> {
  const isFile = body instanceof Blob;
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...organisationHeader(),
      ...(body !== undefined && !isFile && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Data;
}

/**
 * Saves the response of an operation as a file. (A link cannot send the header that names the organization.)
 * @throws ApiError
 */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(path, { credentials: 'same-origin', headers: organisationHeader() });
  if (!response.ok) throw await problemOf(response);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  // Browsers start reading it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
