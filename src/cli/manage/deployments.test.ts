import { expect, test } from 'vitest';
import type { ApiClient } from '../api-client.ts';
import { createOutput } from '../output.ts';
import { rollBack } from './deployments.ts';

const one = (id: string, more: object) => ({
  id,
  isLive: false,
  canPromote: true,
  pinned: false,
  preview: null,
  endReason: null,
  status: 'success',
  ...more,
});

/** An API with two pages of deployments that records promotions. */
function fakeApi(pages: object[][]): { api: ApiClient; promoted: string[] } {
  const promoted: string[] = [];
  const request = async (method: string, path: string): Promise<unknown> => {
    if (method === 'POST') promoted.push(path);
    if (method === 'POST') return one('promoted', { isLive: true });
    const index = Number(/cursor=(\d)/.exec(path)?.[1] ?? 0);
    return { items: pages[index], nextCursor: index + 1 < pages.length ? String(index + 1) : null };
  };
  return { api: { request: request as ApiClient['request'] }, promoted };
}

test('a rollback promotes the newest stored build before the live one, even on a later page', async () => {
  const { api, promoted } = fakeApi([
    [one('newer', {}), one('live', { isLive: true, canPromote: false })],
    [one('gone', { canPromote: false }), one('before', {}), one('older', {})],
  ]);
  await rollBack(api, 'acme', undefined, createOutput({ json: true }));
  expect(promoted).toEqual(['/v1/projects/acme/deployments/before/promote']);
});

test('a rollback without an earlier stored build fails with build_not_kept', async () => {
  const { api } = fakeApi([[one('newer', {}), one('live', { isLive: true, canPromote: false })]]);
  await expect(rollBack(api, 'acme', undefined, createOutput({ json: true }))).rejects.toMatchObject({ code: 'build_not_kept' });
});
