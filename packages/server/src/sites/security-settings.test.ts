import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

let test: TestApp;
let admin: Record<string, string>;
let readOnly: Record<string, string>;
let otherAdmin: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp();
  const operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['guides/install']);
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
  readOnly = (await addKey(test, operator, { kind: 'admin', scopes: ['read'] })).headers;
  otherAdmin = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
});
afterAll(() => test.close());

const url = '/v1/project/docs/security-settings';
const read = (headers = admin): Promise<LightMyRequestResponse> =>
  callDeclared(test.app, { method: 'GET', url, headers });
const change = (payload: object, headers = admin): Promise<LightMyRequestResponse> =>
  callDeclared(test.app, {
    method: 'PATCH',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });

it('a site allows no other origins by default, and a change keeps the settings that it does not name', async () => {
  expect((await read()).json()).toEqual({ scriptSources: [], frameAncestors: null });
  await change({ scriptSources: ['https://cdn.example.com'] });
  expect((await change({ frameAncestors: [] })).json()).toEqual({
    scriptSources: ['https://cdn.example.com'],
    frameAncestors: [],
  });
  expect((await read()).json().scriptSources).toEqual(['https://cdn.example.com']);
  expect((await change({ scriptSources: [], frameAncestors: null })).json()).toEqual({
    scriptSources: [],
    frameAncestors: null,
  });
});

it.each([
  [{ scriptSources: ['*'] }, '/scriptSources/0'],
  [{ scriptSources: ['https://a.example', "'unsafe-inline'"] }, '/scriptSources/1'],
  [{ scriptSources: ['https://a.example; object-src *'] }, '/scriptSources/0'],
  [{ frameAncestors: ['https://*.example.com'] }, '/frameAncestors/0'],
  [{ scriptSources: Array(21).fill('https://a.example') }, '/scriptSources'],
  [{ other: [] }, ''],
])('%j is rejected with a pointer to the error', async (payload, path) => {
  const refused = await change(payload);
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors[0].path).toBe(path);
});

it('only keys that may change the site can change its security settings', async () => {
  expect((await change({ scriptSources: [] }, readOnly)).statusCode).toBe(403);
  expect((await change({ scriptSources: [] }, otherAdmin)).statusCode).toBe(404);
  expect((await read(otherAdmin)).statusCode).toBe(404);
});
