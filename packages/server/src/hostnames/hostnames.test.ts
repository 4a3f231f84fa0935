import type { Actor } from '@docent/format/access/may.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { findSite } from '../kernel/sites/site-queries.ts';
import { checkHostname } from './check-hostname.ts';
import { approveHostname } from './manage-hostnames.ts';
import type { hostnameView } from './routes.ts';

const NAME = 'docs.acme.example';
const DAY = 24 * 3600;

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;
beforeEach(async () => {
  test = await openTestApp({
    env: { DOCENT_PUBLIC_URL: 'https://platform.example', DOCENT_SITES_DOMAIN: 'sites.example' },
  });
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  for (const slug of ['one', 'two']) await addSite(test, operator, slug);
});
afterEach(() => test.close());

type Shown = ReturnType<typeof hostnameView>;
const call = async (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
  as = headers,
) => {
  const response = await callDeclared(test.app, {
    method,
    url: `/v1/projects/${path}`,
    headers: as,
    ...(payload && { payload }),
  });
  return {
    status: response.statusCode,
    body: (response.body === '' ? {} : response.json()) as Shown & { code: string },
  };
};
const add = (site: string, hostname = NAME) => call('POST', `${site}/hostnames`, { hostname });
const verify = async (site: string, hostname = NAME) =>
  (await call('POST', `${site}/hostnames/${hostname}/verify`)).body;
const ownerOf = async (hostname = NAME) =>
  (await findSite(test.deps.database.queries, hostname))?.slug;
const setTxt = async (...sites: string[]) => {
  const values = await Promise.all(
    sites.map(async (site) => (await add(site)).body.records[0]?.value as string),
  );
  test.deps.dns.records.set(`TXT _docent.${NAME}`, ['v=spf1 -all', ...values]);
};

describe('a hostname', () => {
  it('is inactive until DNS has its TXT record, which the queued check finds', async () => {
    const added = await add('one', 'Docs.Acme.Example');
    expect(added).toMatchObject({
      status: 201,
      body: { hostname: NAME, status: 'pending', found: [], problem: null },
    });
    expect(added.body.records).toEqual([
      {
        type: 'TXT',
        name: `_docent.${NAME}`,
        value: expect.stringMatching(/^docent-verification=[0-9a-f]{32}$/),
      },
      { type: 'CNAME', name: NAME, value: 'one.sites.example' },
    ]);
    const { id = '' } = (await findSite(test.deps.database.queries, 'one')) ?? {};
    expect(test.deps.jobs.added.at(-1)).toMatchObject({
      name: 'check-hostname',
      payload: { hostname: NAME, siteId: id },
      inTransaction: true,
    });
    expect(await verify('one')).toMatchObject({
      status: 'pending',
      problem: expect.stringContaining('none of the required records'),
    });
    expect(await ownerOf()).toBeUndefined();
    expect((await call('GET', `${NAME}/hostnames`)).status).toBe(404);

    await setTxt('one');
    await checkHostname(test.deps, NAME, id);
    expect(await ownerOf()).toBe('one');
    const { body } = await call('GET', `${NAME}/hostnames`);
    expect(body).toMatchObject({
      hostnames: [{ status: 'verified', problem: null, nextCheckAt: '2026-11-21T12:00:00.000Z' }],
    });
  });

  it('is verified only by a CNAME record to the address of its own site', async () => {
    await add('one');
    test.deps.dns.records.set(`CNAME ${NAME}`, ['two.sites.example']);
    expect(await verify('one')).toMatchObject({
      status: 'pending',
      found: [{ type: 'CNAME', name: NAME, value: 'two.sites.example' }],
      problem: expect.stringContaining('different records'),
    });
    test.deps.dns.records.set(`CNAME ${NAME}`, ['one.sites.example']);
    expect(await verify('one')).toMatchObject({ status: 'verified' });
  });

  it('can be requested by two sites, and belongs to the first that verifies it', async () => {
    await Promise.all([add('one'), add('two')]);
    await setTxt('two');
    expect([(await verify('one')).status, (await verify('two')).status]).toEqual([
      'pending',
      'verified',
    ]);
    await setTxt('one', 'two');
    expect(await verify('one')).toMatchObject({
      status: 'pending',
      problem: expect.stringContaining('Another site'),
    });
    expect(await ownerOf()).toBe('two');
  });

  it('moves from a site with an approval to one that verifies it in DNS', async () => {
    await add('two');
    await approveHostname(test.deps, operator, 'two', NAME);
    expect(await ownerOf()).toBe('two');
    await setTxt('one');
    expect((await verify('one')).status).toBe('verified');
    expect(await ownerOf()).toBe('one');
    expect((await call('GET', 'two/hostnames')).body).toMatchObject({
      hostnames: [
        { status: 'failed', approved: false, problem: expect.stringContaining('Another site') },
      ],
    });
  });

  it('stays verified while DNS does not respond, and is lost only after a week without its records', async () => {
    await setTxt('one');
    await verify('one');
    test.deps.dns.down = true;
    test.deps.clock.advance(30 * DAY);
    expect(await verify('one')).toMatchObject({
      status: 'verified',
      problem: expect.stringContaining('ETIMEOUT'),
    });
    test.deps.dns.down = false;
    expect(await verify('one')).toMatchObject({ status: 'verified', problem: null });
    test.deps.dns.records.clear();
    test.deps.clock.advance(6 * DAY);
    expect(await verify('one')).toMatchObject({
      status: 'verified',
      problem: expect.stringContaining('missing'),
    });
    test.deps.clock.advance(2 * DAY);
    expect(await verify('one')).toMatchObject({ status: 'failed', nextCheckAt: null });
    expect(await ownerOf()).toBeUndefined();
  });

  it('fails after two weeks without verification, and is pending again when its owner retries', async () => {
    await add('one');
    const { id = '' } = (await findSite(test.deps.database.queries, 'one')) ?? {};
    test.deps.clock.advance(15 * DAY);
    await checkHostname(test.deps, NAME, id);
    const { body } = await call('GET', 'one/hostnames');
    expect(body).toMatchObject({ hostnames: [{ status: 'failed', nextCheckAt: null }] });
    expect(await verify('one')).toMatchObject({
      status: 'pending',
      nextCheckAt: expect.any(String),
    });
  });

  it('can be approved only by the operator, and then needs no DNS records', async () => {
    await add('one');
    expect(await call('POST', `one/hostnames/${NAME}/approve`)).toMatchObject({
      status: 403,
      body: { code: 'operator_required' },
    });
    await approveHostname(test.deps, operator, 'one', NAME);
    test.deps.clock.advance(30 * DAY);
    expect(await verify('one')).toMatchObject({ status: 'verified', approved: true });
    await add('two');
    await expect(approveHostname(test.deps, operator, 'two', NAME)).rejects.toMatchObject({
      code: 'hostname_taken',
    });
  });

  it('is removed with its route, and a new request receives another token', async () => {
    await setTxt('one');
    await verify('one');
    const before = (await add('one')).body.records[0]?.value;
    expect((await call('DELETE', `one/hostnames/${NAME}`)).status).toBe(204);
    expect(await ownerOf()).toBeUndefined();
    expect(await call('DELETE', `one/hostnames/${NAME}`)).toMatchObject({
      status: 404,
      body: { code: 'hostname_not_found' },
    });
    expect(await verify('one')).toMatchObject({ code: 'hostname_not_found' });
    expect((await add('one')).body.records[0]?.value).not.toBe(before);
    expect((await verify('one')).status).toBe('pending');
  });

  it.each([
    '127.0.0.1',
    'docs',
    'printer.local',
    'a.sites.example',
    'platform.example',
    'a.platform.example',
    'a_b.example',
    '',
  ])('%s is rejected with 400', async (hostname) => {
    expect(await add('one', hostname)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  it('of another organization can be neither read nor changed', async () => {
    const other = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
    await add('one');
    for (const [method, path] of [
      ['GET', 'one/hostnames'],
      ['POST', `one/hostnames/${NAME}/verify`],
      ['DELETE', `one/hostnames/${NAME}`],
    ] as const)
      expect((await call(method, path, undefined, other)).body.code).toBe('site_not_found');
  });
});
