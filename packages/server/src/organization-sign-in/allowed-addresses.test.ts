import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { addMember } from '../../../../test/support/people.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { changeSignIn } from './manage-sign-in.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_TRUSTED_PROXIES: '1' } });
});
afterAll(() => test.close());

const OFFICE = '192.0.2.7';
const OFFICE_V6 = '2001:db8:1::7';
const HOME = '198.51.100.1';

async function open() {
  const operator = await addOrganization(test);
  const owner = await addMember(test, operator, 'owner');
  const call = (
    from: string,
    { payload, ...headers }: Record<string, unknown> = {},
    url = '/v1/organization/sign-in',
  ) =>
    callDeclared(test.app, {
      method: payload ? 'PATCH' : 'GET',
      url,
      headers: { ...owner.headers, 'x-forwarded-for': from, ...headers },
      ...(payload ? { payload } : {}),
    });
  const allow = (payload: object, from = OFFICE) => call(from, { payload });
  return { operator, owner, call, allow };
}

describe('the allowed addresses of an organization', () => {
  it('let its members in from there alone, of IPv4 and IPv6, as a trusted proxy names them', async () => {
    const { operator, allow, call } = await open();
    const allowedAddresses = ['192.0.2.0/24', '2001:db8:1::/48'];
    const allowed = await allow({ allowedAddresses });
    expect(allowed.statusCode, allowed.body).toBe(200);
    expect(allowed.json()).toMatchObject({ allowedAddresses, clientAddress: OFFICE });
    const editor = await addMember(test, operator, 'editor');
    const statusOf = async (from: string) =>
      (await call(from, { ...editor.headers }, '/v1/organization')).statusCode;
    for (const from of [OFFICE, OFFICE_V6, `::ffff:${OFFICE}`, `${HOME}, ${OFFICE}`])
      expect(await statusOf(from), from).toBe(200);
    for (const from of [HOME, '2001:db8:2::7', `${OFFICE}, ${HOME}`, 'nonsense'])
      expect(await statusOf(from), from).toBe(403);
    const refused = await call(HOME);
    expect(refused.json()).toMatchObject({
      code: 'ip_not_allowed',
      detail: expect.stringContaining(HOME),
    });
    expect((await allow({ allowedAddresses: [] })).statusCode).toBe(200);
    expect((await call(HOME)).statusCode).toBe(200);
  });

  it('do not lock out by mistake whoever sets them', async () => {
    const { allow, call, operator } = await open();
    const refused = await allow({ allowedAddresses: ['203.0.113.0/24'] });
    expect([refused.statusCode, refused.json().errors]).toEqual([
      400,
      [{ path: '/allowedAddresses', message: expect.stringContaining(OFFICE) }],
    ]);
    expect((await call(OFFICE)).json().allowedAddresses).toEqual([]);
    const forced = await allow({ allowedAddresses: ['203.0.113.0/24'], force: true });
    expect(forced.statusCode).toBe(200);
    expect((await call(OFFICE)).statusCode).toBe(403);
    // The operator has no address, and lets them in again.
    await changeSignIn(test.deps, operator, { allowedAddresses: [] }, undefined);
    expect((await call(OFFICE)).statusCode).toBe(200);
  });

  it('are addresses or ranges, and not the whole Internet', async () => {
    const { allow } = await open();
    const refused = await allow({ allowedAddresses: [OFFICE, '0.0.0.0/0', 'office', '::/0'] });
    expect([
      refused.statusCode,
      refused.json().errors.map(({ path }: { path: string }) => path),
    ]).toEqual([400, ['/allowedAddresses/1', '/allowedAddresses/2', '/allowedAddresses/3']]);
  });

  it('are set by owners alone, and the audit log names the former and the new list', async () => {
    const { operator, allow, call } = await open();
    const admin = await addMember(test, operator, 'admin');
    const body = { allowedAddresses: [OFFICE] };
    const refused = await call(OFFICE, { payload: body, ...admin.headers });
    expect(refused.json().code).toBe('role_missing');
    await allow(body);
    const log = await call(OFFICE, {}, '/v1/audit-log');
    const { items } = log.json() as { items: { outcome: string; changes: unknown }[] };
    expect(items.find(({ outcome }) => outcome === 'done')?.changes).toEqual([
      { field: 'allowedAddresses', before: null, after: [OFFICE] },
    ]);
  });

  it('count for admin keys if an owner says so, at once, and never for public keys of sites', async () => {
    const { operator, allow, call } = await open();
    const admin = await addKey(test, operator, { kind: 'admin' });
    const statusOf = async (from: string) => {
      const answer = await call(from, { ...admin.headers, cookie: '' }, '/v1/organization');
      return [answer.statusCode, answer.json().code];
    };
    await allow({ allowedAddresses: [OFFICE] });
    expect(await statusOf(HOME)).toEqual([200, undefined]);
    await allow({ limitsKeys: true });
    expect(await statusOf(HOME)).toEqual([403, 'ip_not_allowed']);
    expect(await statusOf(OFFICE)).toEqual([200, undefined]);
    await addSite(test, operator, 'addresses', ['index']);
    const assistant = await addKey(test, operator, { kind: 'assistant', site: 'addresses' });
    const asked = await test.app.inject({
      method: 'POST',
      url: `/v1/assistant/addresses/message`,
      headers: { ...assistant.headers, 'x-forwarded-for': HOME },
      payload: {},
    });
    expect(asked.json().code).not.toBe('ip_not_allowed');
  });

  it('say nothing about other organizations, nor about accounts', async () => {
    const [acme, other] = [await open(), await open()];
    await acme.allow({ allowedAddresses: [OFFICE] });
    expect((await other.call(HOME)).statusCode).toBe(200);
    const session = await acme.call(HOME, {}, '/v1/session');
    expect(session.json().user).toMatchObject({ email: acme.owner.email });
  });
});
