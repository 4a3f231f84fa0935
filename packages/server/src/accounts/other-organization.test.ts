import { type Action, ROLES, type Role, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addMember } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import type { ApiDocument, Operation, Parameter } from '../start/api-document/finish-document.ts';

let test: TestApp;
let document: ApiDocument;
/** Resources of the organization that requests ask for, by the names of parameters. */
let things: Record<string, string>;
/** The headers of callers of another organization, which has the site `strange`. */
let foreign: Record<'session' | 'admin key' | 'assistant key', Record<string, string>>;
/** The headers of a member of each role. */
let members: Record<Role, Record<string, string>>;
let owner: Record<string, string>;
let viewer: Record<string, string>;
/** The headers of an admin key of the organization that is bound to its site `second`. */
let bound: Record<string, string>;

const GITHUB_APP = '01KAN3R8Z5W6Q1T2V7X9Y0B4CD';
const THREAD = '01K9Z3W6Y7QJ5T8B2M4N6P8R0S';

// Keeps the mocked modules out of the other test files that share this worker.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
vi.mock('@docent/format/access/may.ts', { spy: true });
const { requirePermission: decide } = await vi.importActual<
  typeof import('@docent/format/access/may.ts')
>('../../../format/src/access/may.ts');

beforeAll(async () => {
  test = await openTestApp();
  const organization = await addOrganization(test);
  const { siteId, deploymentId } = await addSite(test, organization, 'acme', ['start']);
  const { id: keyId } = await addKey(test, organization, { kind: 'admin' });
  const { userId } = await addMember(test, organization, 'editor');
  const all = await Promise.all(
    ROLES.map(async (role) => [role, (await addMember(test, organization, role)).headers]),
  );
  members = Object.fromEntries(all);
  ({ owner, viewer } = members);
  const invited = await test.app.inject({
    method: 'POST',
    url: '/v1/organization/invitations',
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
  const preview = await test.app.inject({
    method: 'POST',
    url: `/v1/projects/${siteId}/previews`,
    headers: owner,
    payload: { branch: 'new-start' },
  });
  const stream = await test.app.inject({
    method: 'POST',
    url: `/v1/projects/${siteId}/analytics-streams`,
    headers: owner,
    payload: { name: 'Warehouse', webhook: { url: 'https://events.acme.example/docs' } },
  });
  const webhook = await test.app.inject({
    method: 'POST',
    url: '/v1/webhooks',
    headers: owner,
    payload: {
      name: 'Channel',
      url: 'https://events.acme.example/docs',
      events: ['deployment.failed'],
    },
  });
  const source = await test.app.inject({
    method: 'POST',
    url: `/v1/projects/${siteId}/sources`,
    headers: owner,
    payload: { url: 'https://git.acme.example/team/docs' },
  });
  const { queries } = test.deps.database;
  const created_at = test.deps.clock.now();
  await queries
    .insertInto('github_apps')
    .values({
      id: GITHUB_APP,
      organization_id: organization.organizationId,
      host: 'github.com',
      app_id: '1',
      name: 'Docent',
      created_at,
    })
    .execute();
  await queries
    .insertInto('threads')
    .values({
      id: THREAD,
      site_id: siteId,
      fp: '',
      key_hash: '',
      created_at,
      updated_at: created_at,
    })
    .execute();
  await queries
    .insertInto('messages')
    .values({
      id: 'message',
      thread_id: THREAD,
      role: 'user',
      content: 'How?',
      status: 'complete',
      created_at,
    })
    .execute();
  await queries
    .insertInto('feedback')
    .values({
      id: 'feedback-of-acme',
      site_id: siteId,
      source: 'contextual',
      path: 'start',
      helpful: true,
      created_at,
    })
    .execute();
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
    previewName: preview.json().name,
    streamId: stream.json().id,
    sourceId: source.json().id,
    pullNumber: '12',
    githubAppId: GITHUB_APP,
    webhookId: webhook.json().id,
    deliveryId: '01KAN3R8Z5W6Q1T2V7X9Y0B4CE',
    threadId: THREAD,
    feedbackId: 'feedback-of-acme',
  };
  expect(Object.entries(things).filter(([, thing]) => !thing)).toEqual([]);
  await addSite(test, organization, 'second', ['start']);
  bound = (await addKey(test, organization, { kind: 'admin', siteIds: ['second'] })).headers;
  const other = await addOrganization(test);
  await addSite(test, other, 'strange', ['start']);
  foreign = {
    session: (await addMember(test, other, 'owner')).headers,
    'admin key': (await addKey(test, other, { kind: 'admin', scopes: ['read', 'write', 'keys'] }))
      .headers,
    'assistant key': (await addKey(test, other, { kind: 'assistant', site: 'strange' })).headers,
  };
  document = (await test.app.describeRoutes()) as ApiDocument;
});
afterAll(() => test.close());

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Managed {
  method: string;
  path: string;
  operation: Operation;
}

function operationsThat(matches: (operation: Operation, path: string) => boolean): Managed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, operation]) => METHODS.includes(method) && matches(operation, path))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Every operation that accepts an admin key, and therefore a session. */
function managedOperations(): Managed[] {
  return operationsThat(({ security }) => (security as object[]).some((way) => 'adminKey' in way));
}

/** The operations that answer with another status. */
async function answersOtherThan(
  status: number,
  operations: readonly Managed[],
  headers: Record<string, string>,
  named = things,
) {
  const others: string[] = [];
  for (const one of operations) {
    const { statusCode, body } = await test.app.inject(requestOf(one, headers, named));
    if (statusCode !== status)
      others.push(`${one.method} ${one.path}: ${statusCode} ${body.slice(0, 200)}`);
  }
  return others;
}

const resolve = (parameter: Parameter): Parameter | undefined =>
  parameter.$ref
    ? document.components.parameters?.[parameter.$ref.split('/').at(-1) as string]
    : parameter;

/** The example of a body with the resources of the organization in it. */
function bodyOf({ requestBody }: Operation, named = things): object | undefined {
  const example = requestBody?.content['application/json']?.example;
  if (typeof example !== 'object' || example === null) return undefined;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, name in named ? named[name] : value]),
  );
}

function requestOf(
  { method, path, operation }: Managed,
  headers: Record<string, string>,
  named = things,
) {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(named[name] ?? `unknown-${name}`),
  );
  const query = (operation.parameters ?? [])
    .map(resolve)
    .filter(
      (one) => one?.in === 'query' && ((one.name as string) in named || one.required === true),
    )
    .map((one) => `${one?.name}=${named[one?.name as string] ?? firstOf(one?.schema)}`);
  const payload = bodyOf(operation, named);
  const isArchive = operation.requestBody !== undefined && payload === undefined;
  return {
    method: method.toUpperCase() as 'GET',
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    headers: { ...headers, ...(isArchive && { 'content-type': 'application/gzip' }) },
    ...(payload && { payload }),
    ...(isArchive && { payload: 'x' }),
  };
}

/** The first value that a schema allows. */
function firstOf(schema: unknown): string {
  return String((schema as { enum?: unknown[] } | undefined)?.enum?.[0] ?? 'x');
}

/**
 * Whether an operation names a resource of the organization, in its path, its query or its body.
 */
function namesThing({ path, operation }: Managed): boolean {
  const inQuery = (operation.parameters ?? [])
    .map(resolve)
    .some((one) => one?.in === 'query' && (one.name as string) in things);
  return (
    path.includes('{') ||
    inQuery ||
    Object.keys(bodyOf(operation) ?? {}).some((name) => name in things)
  );
}

/**
 * The permission that an operation requires, read from the product; undefined if it identifies its
 * caller in another way.
 */
async function actionOf(one: Managed): Promise<Action | undefined> {
  const checks = vi.mocked(requirePermission).mock.calls;
  checks.length = 0;
  // Neither request succeeds: a viewer may change nothing, and a stranger may follow no events.
  await test.app.inject(requestOf(one, one.method === 'get' ? foreign.session : viewer));
  return checks[0]?.[1];
}

function isAllowed(role: Role, action: Action): boolean {
  try {
    decide(
      { kind: 'member', userId: '', sessionId: '', role, organizationId: '', plan: 'enterprise' },
      action,
    );
    return true;
  } catch {
    return false;
  }
}

const statusOf = async (request: ReturnType<typeof requestOf>) =>
  (await test.app.inject(request)).statusCode;

/**
 * The status for a member who is allowed to do it: reading, or changing what does not exist;
 * otherwise it ends when it is allowed.
 */
async function statusWithoutEffect(one: Managed, role: Role): Promise<number> {
  const isReading = one.method === 'get' && !one.path.endsWith('/events');
  if (isReading) return statusOf(requestOf(one, members[role]));
  // Which role may remove a member depends on the member: everybody may leave.
  if (one.path.includes('{') && idOf(one) !== 'removeMember')
    return statusOf(requestOf(one, members[role], {}));
  vi.mocked(requirePermission).mockImplementationOnce((...given) => {
    decide(...given);
    throw new DocentError('route_not_found', 'Only the permission is tested.');
  });
  return statusOf(requestOf(one, members[role]));
}

/** Accepts no resource of an organization: it reads and changes only what belongs to the caller. */
const OF_THE_CALLER = [
  ...['createProject', 'listProjects', 'getUsage', 'listKeys', 'createOrganization'],
  ...['listAuditLog', 'exportAuditLog', 'listWebhooks', 'createWebhook'],
  ...['listGitHubApps', 'createGitHubApp', 'completeGitHubApp'],
  ...[
    'getOrganization',
    'changeOrganization',
    'deleteOrganization',
    'listMembers',
    'listInvitations',
    'createInvitation',
  ],
  ...['getDirectory', 'changeDirectory', 'createDirectoryToken', 'deleteDirectoryToken'],
  ...['getOrganizationSignIn', 'changeOrganizationSignIn'],
];
/** Rejects everybody but the operator before any lookup, so that it does not reveal what exists. */
const OF_THE_OPERATOR = [
  'listUsers',
  'listOrganizations',
  'changeUser',
  'createPasswordReset',
  'unlockUser',
  'endUserSessions',
  'removeTwoFactor',
  'deleteUser',
  'approveHostname',
];
/** Rejects every key before any lookup: keys give and take no roles. */
const OF_PEOPLE = [
  'getMemberAccess',
  'changeMember',
  'removeMember',
  'endMemberSessions',
  'revokeInvitation',
];

const idOf = ({ operation }: Managed) => String(operation.operationId);

describe('an operation that accepts a session', () => {
  it('names a resource, or is listed as one of the caller or of the operator', () => {
    const unnamed = managedOperations().filter(
      (one) => !namesThing(one) || OF_THE_OPERATOR.includes(idOf(one)),
    );
    expect(unnamed.map(idOf).sort()).toEqual([...OF_THE_CALLER, ...OF_THE_OPERATOR].sort());
  });

  it('finds the named resources for their owner', async () => {
    const missing: string[] = [];
    for (const one of managedOperations().filter(({ method }) => method === 'get')) {
      // A stream of events ends only with its build.
      if (one.path.endsWith('/events')) continue;
      const { statusCode, body } = await test.app.inject(requestOf(one, owner));
      if (statusCode === 404) missing.push(`${one.path}: ${body.slice(0, 200)}`);
    }
    expect(missing).toEqual([]);
  });
});

describe.each(['session', 'admin key'] as const)('the %s of another organization', (kind) => {
  const headers = () => foreign[kind];

  it('receives 404 from every operation that names a resource', async () => {
    const operations = managedOperations().filter(
      (one) => namesThing(one) && !OF_THE_OPERATOR.includes(idOf(one)),
    );
    expect(operations.length).toBeGreaterThan(60);
    const refused = operations.filter(
      (one) => kind === 'admin key' && OF_PEOPLE.includes(idOf(one)),
    );
    expect(await answersOtherThan(403, refused, headers())).toEqual([]);
    const others = operations.filter((one) => !refused.includes(one));
    expect(await answersOtherThan(404, others, headers())).toEqual([]);
  });

  it('finds no resource of the other organization under its own site', async () => {
    const nested = managedOperations().filter(
      (one) => /\{projectId\}.*\{/.test(one.path) && !OF_THE_OPERATOR.includes(idOf(one)),
    );
    expect(nested.length).toBeGreaterThan(12);
    expect(
      await answersOtherThan(404, nested, headers(), {
        ...things,
        projectId: 'strange',
        domain: 'strange',
      }),
    ).toEqual([]);
  });

  it('finds nothing of the other organization in its own lists', async () => {
    // The audit log repeats what its own callers requested.
    const lists = managedOperations().filter(
      (one) =>
        one.method === 'get' && OF_THE_CALLER.includes(idOf(one)) && !/AuditLog$/.test(idOf(one)),
    );
    for (const one of lists) {
      const { statusCode, body } = await test.app.inject(requestOf(one, headers()));
      expect(statusCode, one.path).toBe(200);
      for (const thing of Object.values(things)) expect(body, one.path).not.toContain(`"${thing}"`);
    }
  });
});

/** Concerns the organization as a whole, so it takes no key that is bound to sites. */
const OF_THE_WHOLE = [
  ...['getOrganizationSignIn', 'changeOrganizationSignIn'],
  ...['getDirectory', 'changeDirectory', 'createDirectoryToken', 'deleteDirectoryToken'],
  ...[
    'createProject',
    'getUsage',
    'listAuditLog',
    'exportAuditLog',
    'listMembers',
    'listInvitations',
  ],
  ...[
    'getOrganization',
    'changeOrganization',
    'deleteOrganization',
    'createInvitation',
    'createOrganization',
  ],
  ...[
    'listWebhooks',
    'createWebhook',
    'changeWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'testWebhook',
  ],
  ...['listWebhookDeliveries', 'replayWebhookDelivery'],
  ...['listGitHubApps', 'createGitHubApp', 'completeGitHubApp', 'removeGitHubApp'],
  'getGitHubAppRepositories',
];

describe('an admin key of the organization that is bound to another site', () => {
  const REFUSALS = ['wrong_site', 'role_missing', 'operator_required'];

  it('receives 404 from every operation that names a resource of other sites, and 403 from those of the organization', async () => {
    const named = managedOperations().filter(
      (one) =>
        namesThing(one) && ![...OF_THE_OPERATOR, ...OF_PEOPLE, ...OF_THE_WHOLE].includes(idOf(one)),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(await answersOtherThan(404, named, bound)).toEqual([]);
    for (const one of managedOperations().filter((one) => OF_THE_WHOLE.includes(idOf(one)))) {
      const response = await test.app.inject(requestOf(one, bound));
      expect([response.statusCode, REFUSALS.includes(response.json().code)], idOf(one)).toEqual([
        403,
        true,
      ]);
    }
  });

  it('finds nothing of other sites in lists, and reaches its own', async () => {
    const lists = managedOperations().filter(
      (one) =>
        one.method === 'get' &&
        (one.path === '/v1/static-export/jobs' || OF_THE_CALLER.includes(idOf(one))) &&
        !OF_THE_WHOLE.includes(idOf(one)),
    );
    expect(lists.map(idOf).sort()).toEqual(['listKeys', 'listProjects', 'listStaticExports']);
    for (const one of lists) {
      const { statusCode, body } = await test.app.inject(requestOf(one, bound, {}));
      expect(statusCode, one.path).toBe(200);
      for (const thing of Object.values(things)) expect(body, one.path).not.toContain(`"${thing}"`);
    }
    const { body } = await test.app.inject({ url: '/v1/projects', headers: bound });
    expect(JSON.parse(body).items.map(({ slug }: { slug: string }) => slug)).toEqual(['second']);
    expect((await test.app.inject({ url: '/v1/projects/second', headers: bound })).statusCode).toBe(
      200,
    );
  });
});

describe('the assistant key of another organization', () => {
  it('is rejected by every operation, including those that answer questions about a site', async () => {
    const all = operationsThat(({ security }) =>
      (security as object[]).some((way) => 'adminKey' in way || 'assistantKey' in way),
    );
    expect(all.length).toBeGreaterThan(80);
    expect(await answersOtherThan(403, all, foreign['assistant key'])).toEqual([]);
  });
});

describe('a member', () => {
  it('is denied what the access rules deny to its role, and not denied what they allow', async () => {
    const faults: string[] = [];
    const allowed = new Set<string>();
    for (const one of managedOperations()) {
      const action = await actionOf(one);
      if (!action) throw new Error(`${idOf(one)} asks for no permission.`);
      for (const role of ROLES) {
        const isDenied = !isAllowed(role, action) || OF_THE_OPERATOR.includes(idOf(one));
        const statusCode = isDenied
          ? await statusOf(requestOf(one, members[role]))
          : await statusWithoutEffect(one, role);
        if ((statusCode === 403) !== isDenied)
          faults.push(`${role}: ${idOf(one)} (${action}): ${statusCode}`);
        if (!isDenied) allowed.add(`${role} ${action}`);
      }
    }
    expect(faults).toEqual([]);
    expect(allowed.size).toBeGreaterThan(40);
  });

  it('is denied every change as a viewer', async () => {
    const changes = managedOperations().filter(({ method }) => method !== 'get');
    expect(changes.length).toBeGreaterThan(40);
    expect(await answersOtherThan(403, changes, viewer)).toEqual([]);
  });
});
