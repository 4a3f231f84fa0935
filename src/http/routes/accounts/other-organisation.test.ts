import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../../../../test/support/people.ts';
import { addKey, addOrganisation, addSite, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import type { ApiDocument, Operation, Parameter } from '../../api-document/document-model.ts';

let test: TestApp;
let document: ApiDocument;
/** Things of the organisation that is asked about, by the names of parameters. */
let things: Record<string, string>;
let foreign: Record<string, string>;
let viewer: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp();
  const organisation = await addOrganisation(test);
  const { siteId, deploymentId } = await addSite(test, organisation, 'acme', ['start']);
  const { id: keyId } = await addKey(test, organisation, { kind: 'admin' });
  const { userId } = await addMember(test, organisation, 'editor');
  viewer = (await addMember(test, organisation, 'viewer')).headers;
  const owner = (await addMember(test, organisation, 'owner')).headers;
  const invited = await test.app.inject({
    method: 'POST',
    url: '/v1/organisation/invitations',
    headers: owner,
    payload: { email: 'x@example.com', role: 'viewer' },
  });
  await test.app.inject({
    method: 'POST',
    url: `/v1/projects/${siteId}/hostnames`,
    headers: owner,
    payload: { hostname: 'docs.acme.example' },
  });
  const started = await test.app.inject({
    method: 'POST',
    url: '/v1/static-export/jobs',
    headers: owner,
    payload: { domain: 'acme' },
  });
  things = {
    projectId: siteId,
    domain: 'acme',
    site: 'acme',
    keyId,
    userId,
    deploymentId,
    statusId: deploymentId,
    jobId: started.json().jobId,
    invitationId: invited.json().id,
    hostname: 'docs.acme.example',
    previewId: deploymentId,
  };
  foreign = (await addMember(test, await addOrganisation(test), 'owner')).headers;
  document = test.app.swagger() as unknown as ApiDocument;
});
afterAll(() => test.close());

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation that takes an admin key, and so a session. */
function managedOperations(): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(
        ([method, { security }]) =>
          METHODS.includes(method) &&
          (security as object[]).some((way) => 'session' in way && path.startsWith('/v1') && !path.startsWith('/v1/auth')),
      )
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

const resolve = (parameter: Parameter): Parameter | undefined =>
  parameter.$ref ? document.components.parameters?.[parameter.$ref.split('/').at(-1) as string] : parameter;

/** The example of a body with the things of the organisation in it. */
function bodyOf({ requestBody }: Operation): object | undefined {
  const example = requestBody?.content['application/json']?.example;
  if (typeof example !== 'object' || example === null) return undefined;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, name in things ? things[name] : value]));
}

function requestOf(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  headers: Record<string, string>,
) {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(things[name] ?? `unknown-${name}`));
  const query = (operation.parameters ?? [])
    .map(resolve)
    .filter((one) => one?.in === 'query' && ((one.name as string) in things || one.required === true))
    .map((one) => `${one?.name}=${things[one?.name as string] ?? firstOf(one?.schema)}`);
  const payload = bodyOf(operation);
  const isArchive = operation.requestBody !== undefined && payload === undefined;
  return {
    method: method.toUpperCase() as 'GET',
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    headers: { ...headers, ...(isArchive && { 'content-type': 'application/gzip' }) },
    ...(payload && { payload }),
    ...(isArchive && { payload: 'x' }),
  };
}

/** The first of the values that a schema takes. */
function firstOf(schema: unknown): string {
  return String((schema as { enum?: unknown[] } | undefined)?.enum?.[0] ?? 'x');
}

/** Whether an operation names a thing of the organisation, in its path, its query or its body. */
function namesThing({ path, operation }: { path: string; operation: Operation }): boolean {
  const inQuery = (operation.parameters ?? []).map(resolve).some((one) => one?.in === 'query' && (one.name as string) in things);
  return path.includes('{') || inQuery || Object.keys(bodyOf(operation) ?? {}).some((name) => name in things);
}

describe('a session of another organisation', () => {
  it('finds nothing: every operation that names a thing answers 404', async () => {
    // What is for the operator alone is refused before anything is looked up.
    const forOperator = /^\/v1\/users|\/approve$/;
    const asked = managedOperations().filter((one) => namesThing(one) && !forOperator.test(one.path));
    expect(asked.length).toBeGreaterThan(25);
    const found: string[] = [];
    for (const one of asked) {
      const { statusCode, body } = await test.app.inject(requestOf(one, foreign));
      if (statusCode !== 404) found.push(`${one.method} ${one.path}: ${statusCode} ${body.slice(0, 200)}`);
    }
    expect(found).toEqual([]);
  });
});

describe('a viewer', () => {
  it('changes nothing: every operation that is no GET is refused, whatever it names', async () => {
    const changes = managedOperations().filter(({ method }) => method !== 'get');
    const done: string[] = [];
    for (const one of changes) {
      const { statusCode, body } = await test.app.inject(requestOf(one, viewer));
      if (statusCode !== 403) done.push(`${one.method} ${one.path}: ${statusCode} ${body.slice(0, 200)}`);
    }
    expect(done).toEqual([]);
  });
});
