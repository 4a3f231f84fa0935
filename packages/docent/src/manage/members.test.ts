import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { signOutMember } from './members.ts';

const requests: string[] = [];
const api = clientOf((async (method: string, path: string): Promise<unknown> => {
  requests.push(`${method} ${path}`);
  return { items: [{ userId: 'ada', email: 'ada@acme.example' }], nextCursor: null };
}) as ApiClient['request']);

test('a member is signed out by the address that people know', async () => {
  await signOutMember(api, createOutput({ json: true }), 'Ada@acme.example');
  expect(requests.at(-1)).toBe('DELETE /v1/organization/members/ada/sessions');
});

test('somebody who is not a member is not signed out', async () => {
  requests.length = 0;
  const attempt = signOutMember(api, createOutput({ json: true }), 'eve@acme.example');
  await expect(attempt).rejects.toMatchObject({ code: 'member_not_found' });
  expect(requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
});
