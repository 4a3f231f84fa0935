import { type Actor, type Role, requirePermission } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember } from '../../../../test/support/people.ts';
import { addOrganization, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { insertMember } from '../kernel/access/member-queries.ts';

type Person = Awaited<ReturnType<typeof addMember>>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let test: TestApp;
let count = 0;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

/** An organization with an owner and the token of its directory. */
async function open() {
  const operator = await addOrganization(test);
  const owner = await addMember(test, operator, 'owner');
  const manage = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    callDeclared(test.app, {
      method,
      url: `/v1/organization/${url}`,
      headers: owner.headers,
      ...(body && { payload: body }),
    });
  const { token } = (await manage('POST', 'directory/token')).json();
  const send = async (method: Method, url: string, body?: object, headers: object = {}) => {
    const response = await test.app.inject({
      method,
      url: `/scim/v2/${url}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    if (response.statusCode !== 204)
      expect(response.headers['content-type']).toMatch(/^application\/scim\+json/);
    return {
      status: response.statusCode,
      body: response.body === '' ? undefined : response.json(),
      headers: response.headers,
    };
  };
  const patch = (url: string, ...Operations: object[]) =>
    send('PATCH', url, { schemas: [PATCH], Operations });
  const roleOf = async (person: Person): Promise<Role | undefined> =>
    (await manage('GET', 'members?limit=1000'))
      .json()
      .items.find(({ userId }: Person) => userId === person.userId)?.role;
  const invitations = async (): Promise<{ email: string; role: Role }[]> =>
    (await manage('GET', 'invitations'))
      .json()
      .items.map(({ email, role }: { email: string; role: Role }) => ({ email, role }));
  return { operator, owner, manage, token, send, patch, roleOf, invitations };
}
type Organization = Awaited<ReturnType<typeof open>>;

/** A person as Microsoft Entra ID sends them for the first time. */
function entraPerson(email: string) {
  return {
    schemas: [USER, ENTERPRISE],
    externalId: `entra-${email}`,
    userName: email,
    active: true,
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: email }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    roles: [],
    [ENTERPRISE]: { department: 'Engines' },
  };
}

/** A person as Okta sends them for the first time. */
function oktaPerson(email: string) {
  return {
    schemas: [USER],
    userName: email,
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Grace Hopper',
    locale: 'en-US',
    externalId: `00u${email}`,
    groups: [],
    password: '1mz050nq',
    active: true,
  };
}

function freshEmail(): string {
  count += 1;
  return `scim${count}@acme.example`;
}

/** Sends somebody, and returns their id. */
async function sendPerson({ send }: Organization, email: string): Promise<string> {
  const created = await send('POST', 'Users', entraPerson(email));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body.id;
}

describe('a directory sends people', () => {
  it('as Microsoft Entra ID does: looks for them, creates, reads, changes and disables them', async () => {
    const acme = await open();
    const email = freshEmail();
    const filter = `Users?filter=${encodeURIComponent(`userName eq "${email.toUpperCase()}"`)}`;
    expect((await acme.send('GET', filter)).body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
    });
    const id = await sendPerson(acme, email);
    expect(await acme.invitations()).toEqual([{ email, role: 'viewer' }]);
    const { body } = await acme.send('GET', filter);
    expect(body.totalResults).toBe(1);
    expect(body.Resources[0]).toMatchObject({
      id,
      externalId: `entra-${email}`,
      userName: email,
      active: true,
      displayName: 'Ada Lovelace',
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      emails: [{ value: email, type: 'work', primary: true }],
      meta: { resourceType: 'User' },
    });
    const changed = await acme.patch(
      `Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Ada Byron' },
      { op: 'Add', path: 'name.familyName', value: 'Byron' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${email}` },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@acme.example' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Numbers' },
      { op: 'Replace', path: `${USER}:userName`, value: `new-${email}` },
    );
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body).toMatchObject({
      userName: `new-${email}`,
      displayName: 'Ada Byron',
      name: { familyName: 'Byron', givenName: 'Ada' },
      emails: [{ value: `new-${email}` }],
    });
    expect(await acme.invitations()).toEqual([{ email: `new-${email}`, role: 'viewer' }]);
    const disabled = await acme.patch(`Users/${id}`, {
      op: 'Replace',
      path: 'active',
      value: 'False',
    });
    expect([disabled.status, disabled.body.active]).toEqual([200, false]);
    expect(await acme.invitations()).toEqual([]);
    const enabled = await acme.patch(`Users/${id}`, { op: 'Add', path: 'active', value: 'True' });
    expect(enabled.body.active).toBe(true);
    expect(await acme.invitations()).toHaveLength(1);
    expect((await acme.send('DELETE', `Users/${id}`)).status).toBe(204);
    expect((await acme.send('GET', `Users/${id}`)).status).toBe(404);
    expect(await acme.invitations()).toEqual([]);
  });

  it('as Okta does: tests the connection, replaces a profile, deactivates without a path', async () => {
    const acme = await open();
    expect((await acme.send('GET', 'Users?startIndex=1&count=2')).body).toMatchObject({
      totalResults: 0,
      startIndex: 1,
    });
    const email = freshEmail();
    const created = await acme.send('POST', 'Users', oktaPerson(email));
    expect([created.status, created.body.password]).toEqual([201, undefined]);
    const url = `Users/${created.body.id}`;
    const replaced = await acme.send('PUT', url, {
      ...oktaPerson(`grace-${email}`),
      id: created.body.id,
      name: { givenName: 'Grace', familyName: 'Murray' },
    });
    expect([replaced.status, replaced.body]).toMatchObject([
      200,
      { userName: `grace-${email}`, name: { familyName: 'Murray' } },
    ]);
    const off = await acme.patch(url, { op: 'replace', value: { active: false } });
    expect([off.status, off.body.active]).toEqual([200, false]);
    const again = await acme.patch(url, { op: 'replace', value: { active: false } });
    expect([again.status, again.body.active]).toEqual([200, false]);
  });

  it('page by page, in the order in which they were sent, and described by the service', async () => {
    const acme = await open();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(await sendPerson(acme, freshEmail()));
      test.deps.clock.advance(1);
    }
    const page = (await acme.send('GET', 'Users?startIndex=3&count=2')).body;
    expect(page).toMatchObject({ totalResults: 5, startIndex: 3, itemsPerPage: 2 });
    expect(page.Resources.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
    const service = (await acme.send('GET', 'ServiceProviderConfig')).body;
    expect(service).toMatchObject({ patch: { supported: true }, filter: { supported: true } });
    const types = (await acme.send('GET', 'ResourceTypes')).body;
    expect(types.Resources.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Group',
      'User',
    ]);
    expect((await acme.send('GET', `Schemas/${USER}`)).body).toMatchObject({ id: USER });
  });

  it.each<[string, Method, string, object | undefined, number, string | undefined]>([
    ['an unknown person', 'GET', 'Users/01K9Z3W6Y7QJ5T8B2M4N6P8R0S', undefined, 404, undefined],
    ['a wrong identifier', 'DELETE', 'Users/1', undefined, 404, undefined],
    [
      'a filter that is none',
      'GET',
      'Users?filter=userName%20is%20x',
      undefined,
      400,
      'invalidFilter',
    ],
    ['nobody', 'POST', 'Users', { schemas: [USER] }, 400, undefined],
    ['no address', 'POST', 'Users', { schemas: [USER], userName: 'ada' }, 400, 'invalidValue'],
    ['no object', 'POST', 'Users', [], 400, 'invalidSyntax'],
    [
      'no operations',
      'PATCH',
      'Users/1',
      { schemas: [PATCH], Operations: [] },
      400,
      'invalidSyntax',
    ],
    ['an unknown resource', 'POST', 'Bulk', {}, 404, undefined],
  ])('and reads errors in the form of SCIM: %s', async (_, method, url, body, status, scimType) => {
    const acme = await open();
    const refused = await acme.send(method, url, body);
    expect([refused.status, refused.body]).toEqual([
      status,
      expect.objectContaining({
        schemas: [ERROR],
        status: String(status),
        ...(scimType && { scimType }),
        detail: expect.stringMatching(/.{8}/),
      }),
    ]);
  });

  it('once: the same name or address again is a conflict', async () => {
    const acme = await open();
    const email = freshEmail();
    await sendPerson(acme, email);
    for (const again of [
      entraPerson(email.toUpperCase()),
      { ...entraPerson(email), userName: 'x' },
    ]) {
      const refused = await acme.send('POST', 'Users', again);
      expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
    }
  });
});

describe('a member whom the directory removes', () => {
  /** A member of two organizations, with a key in the first. */
  async function member() {
    const [acme, other] = [await open(), await open()];
    const person = await addMember(test, acme.operator, 'admin');
    await insertMember(test.deps.database.queries, {
      organizationId: other.operator.organizationId,
      userId: person.userId,
      role: 'editor',
      createdAt: test.deps.clock.now(),
    });
    const inOrganization = ({ organizationId }: Actor) => ({
      ...person.headers,
      'docent-organization': organizationId,
    });
    const key = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/keys',
      headers: inOrganization(acme.operator),
      payload: { kind: 'admin', name: 'Pipeline' },
    });
    expect(key.statusCode).toBe(201);
    const read = async (headers: Record<string, string>) =>
      (await test.app.inject({ method: 'GET', url: '/v1/organization', headers })).statusCode;
    const id = await sendPerson(acme, person.email);
    return { acme, other, person, id, inOrganization, read, key: key.json().key as string };
  }

  it.each<[string, (acme: Organization, id: string) => Promise<{ status: number }>]>([
    [
      'disabled',
      ({ patch }, id) => patch(`Users/${id}`, { op: 'Replace', path: 'active', value: false }),
    ],
    ['deleted', ({ send }, id) => send('DELETE', `Users/${id}`)],
  ])(
    '(%s) loses this membership and the keys that they created, and keeps other organizations',
    async (_, remove) => {
      const { acme, other, person, id, inOrganization, read, key } = await member();
      expect(await acme.roleOf(person)).toBe('admin');
      expect(await read({ authorization: `Bearer ${key}` })).toBe(200);
      expect((await remove(acme, id)).status).toBeLessThan(300);
      expect(await acme.roleOf(person)).toBeUndefined();
      expect(await read({ authorization: `Bearer ${key}` })).toBe(401);
      expect(await read(inOrganization(acme.operator))).toBe(404);
      expect(await read(inOrganization(other.operator))).toBe(200);
      expect(await acme.invitations()).toEqual([]);
      const entries = (
        await callDeclared(test.app, {
          method: 'GET',
          url: '/v1/audit-log',
          headers: acme.owner.headers,
        })
      ).json().items;
      const removal = entries.find(({ action }: { action: string }) => action === 'removeMember');
      expect(removal).toMatchObject({ actor: 'directory', actorKind: 'directory' });
      expect(removal.sentence).toMatch(/^The directory \(SCIM\) removed Person \d+/);
      expect(entries.map(({ action }: { action: string }) => action)).toContain('revokeKey');
    },
  );

  it('is never an owner: owners come in when the directory is wrong', async () => {
    const acme = await open();
    const id = await sendPerson(acme, acme.owner.email);
    await acme.manage('PATCH', 'directory', { groupRoles: [{ group: 'Staff', role: 'viewer' }] });
    const members = [{ value: id }];
    await acme.send('POST', 'Groups', { schemas: [GROUP], displayName: 'Staff', members });
    expect(await acme.roleOf(acme.owner)).toBe('owner');
    for (const refused of [
      await acme.patch(`Users/${id}`, { op: 'replace', value: { active: false } }),
      await acme.send('DELETE', `Users/${id}`),
    ])
      expect([refused.status, refused.body.schemas]).toEqual([403, [ERROR]]);
    expect((await acme.send('GET', `Users/${id}`)).body.active).toBe(true);
    expect(await acme.roleOf(acme.owner)).toBe('owner');
  });
});

describe('groups', () => {
  it('give roles, as Okta and Microsoft Entra ID change them', async () => {
    const acme = await open();
    const [ada, grace] = [
      await addMember(test, acme.operator, 'viewer'),
      await addMember(test, acme.operator, 'viewer'),
    ];
    const [adaId, graceId] = [
      await sendPerson(acme, ada.email),
      await sendPerson(acme, grace.email),
    ];
    const groupRoles = [
      { group: 'Writers', role: 'editor' },
      { group: 'Admins', role: 'admin' },
    ];
    await acme.manage('PATCH', 'directory', { groupRoles });
    const create = async (displayName: string) =>
      (
        await acme.send('POST', 'Groups', {
          schemas: [GROUP],
          displayName,
          externalId: displayName,
        })
      ).body.id as string;
    const [writers, admins] = [await create('Writers'), await create('Admins')];
    const roles = async () => [await acme.roleOf(ada), await acme.roleOf(grace)];
    const change = async (group: string, ...operations: object[]) => {
      const { status, body } = await acme.patch(`Groups/${group}`, ...operations);
      expect(status, JSON.stringify(body)).toBe(200);
      return roles();
    };
    const both = [{ value: adaId, display: 'Ada' }, { value: graceId }];
    expect(await change(writers, { op: 'add', path: 'members', value: both })).toEqual([
      'editor',
      'editor',
    ]);
    expect(await change(admins, { op: 'Add', path: 'members', value: [{ value: adaId }] })).toEqual(
      ['admin', 'editor'],
    );
    const listed = (await acme.send('GET', `Users/${adaId}`)).body.groups;
    expect(listed.map(({ display }: { display: string }) => display)).toEqual([
      'Admins',
      'Writers',
    ]);
    expect(await change(admins, { op: 'remove', path: `members[value eq "${adaId}"]` })).toEqual([
      'editor',
      'editor',
    ]);
    expect(
      await change(writers, { op: 'Remove', path: 'members', value: [{ value: graceId }] }),
    ).toEqual(['editor', 'viewer']);
    expect(
      await change(admins, { op: 'replace', path: 'members', value: [{ value: graceId }] }),
    ).toEqual(['editor', 'admin']);
    expect(
      await change(admins, { op: 'replace', value: { id: admins, displayName: 'Others' } }),
    ).toEqual(['editor', 'viewer']);
    expect((await acme.send('DELETE', `Groups/${writers}`)).status).toBe(204);
    expect(await roles()).toEqual(['viewer', 'viewer']);
    const matches = await acme.send(
      'GET',
      `Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Others"')}`,
    );
    expect(matches.body.Resources).toMatchObject([{ id: admins, displayName: 'Others' }]);
    expect(matches.body.Resources[0].members).toBeUndefined();
    expect((await acme.manage('GET', 'directory')).json().groups).toEqual(['Others']);
  });

  it('give no role before somebody maps them: roles given by hand stay', async () => {
    const acme = await open();
    const ada = await addMember(test, acme.operator, 'admin');
    const members = [{ value: await sendPerson(acme, ada.email) }];
    await acme.send('POST', 'Groups', { schemas: [GROUP], displayName: 'Writers', members });
    expect(await acme.roleOf(ada)).toBe('admin');
    const owner = await acme.manage('PATCH', 'directory', { defaultRole: 'owner' });
    expect(owner.statusCode).toBe(400);
  });
});

describe('the token of a directory', () => {
  it('is shown once, replaced at once, and ends with its deletion', async () => {
    const acme = await open();
    const read = (token: string) =>
      acme.send('GET', 'Users', undefined, { authorization: `Bearer ${token}` });
    expect((await read(acme.token)).status).toBe(200);
    const directory = (await acme.manage('GET', 'directory')).json();
    expect(directory.token).toMatchObject({ usedAt: expect.any(String) });
    expect(JSON.stringify(directory)).not.toContain(acme.token);
    const { token } = (await acme.manage('POST', 'directory/token')).json();
    const former = await read(acme.token);
    expect([former.status, former.headers['www-authenticate'], former.body.schemas]).toEqual([
      401,
      'Bearer',
      [ERROR],
    ]);
    expect((await read(token)).status).toBe(200);
    expect((await acme.manage('DELETE', 'directory/token')).statusCode).toBe(204);
    expect((await read(token)).status).toBe(401);
    expect((await acme.manage('GET', 'directory')).json().token).toBeNull();
    const stored = await test.deps.database.queries
      .selectFrom('organization_directories')
      .selectAll()
      .execute();
    expect(JSON.stringify(stored)).not.toMatch(/scim_/);
  });

  it('reaches nobody of another organization, and nothing but SCIM', async () => {
    const [acme, other] = [await open(), await open()];
    const stranger = await addMember(test, other.operator, 'viewer');
    const id = await sendPerson(other, stranger.email);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', entraPerson(stranger.email)],
      ['PATCH', { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] }],
      ['DELETE', undefined],
    ] as const)
      expect((await acme.send(method, `Users/${id}`, body)).status, method).toBe(404);
    expect((await acme.send('GET', 'Users')).body.totalResults).toBe(0);
    const members = [{ value: id }];
    const group = await acme.send('POST', 'Groups', {
      schemas: [GROUP],
      displayName: 'All',
      members,
    });
    expect(group.body.members ?? []).toEqual([]);
    expect(await other.roleOf(stranger)).toBe('viewer');
    const api = await test.app.inject({
      method: 'GET',
      url: '/v1/organization',
      headers: { authorization: `Bearer ${acme.token}` },
    });
    expect(api.statusCode).toBe(401);
    const directory = { ...acme.operator, kind: 'directory' } as const;
    for (const action of ['owners.write', 'members.read', 'projects.read', 'keys.write'] as const)
      expect(() => requirePermission(directory, action), action).toThrow();
  });

  it('gets nobody into an account of another organization: who has it signs in before they join', async () => {
    const [acme, other] = [await open(), await open()];
    const stranger = await addMember(test, other.operator, 'owner');
    const id = await sendPerson(acme, stranger.email);
    expect(await acme.roleOf(stranger)).toBeUndefined();
    expect(await acme.invitations()).toEqual([{ email: stranger.email, role: 'viewer' }]);
    await acme.send('DELETE', `Users/${id}`);
    expect(await other.roleOf(stranger)).toBe('owner');
    const session = await test.app.inject({
      method: 'GET',
      url: '/v1/session',
      headers: stranger.headers,
    });
    expect(session.json().organizations).toHaveLength(1);
  });

  it('is created by owners alone', async () => {
    const acme = await open();
    const admin = await addMember(test, acme.operator, 'admin');
    for (const [method, url] of [
      ['POST', 'directory/token'],
      ['DELETE', 'directory/token'],
      ['PATCH', 'directory'],
    ] as const) {
      const refused = await test.app.inject({
        method,
        url: `/v1/organization/${url}`,
        headers: admin.headers,
        ...(method === 'PATCH' && { payload: { defaultRole: 'admin' } }),
      });
      expect(refused.statusCode, url).toBe(403);
    }
  });
});
