import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { rollBack } from './deployments.ts';

/** An API with a site that records promotions. */
function fakeApi(live: { previousId: string | null } | null): {
  api: ApiClient;
  promoted: string[];
} {
  const promoted: string[] = [];
  const request = async (method: string, path: string): Promise<unknown> => {
    if (method === 'GET') return { live };
    promoted.push(path);
    return {
      id: 'promoted',
      isLive: true,
      pinned: false,
      preview: null,
      promotedFrom: null,
      endReason: null,
      status: 'success',
    };
  };
  return { api: clientOf(request as ApiClient['request']), promoted };
}

test('a rollback promotes the build that the API names as the previous live one', async () => {
  const { api, promoted } = fakeApi({ previousId: 'before' });
  await rollBack(api, 'acme', undefined, createOutput({ json: true }));
  expect(promoted).toEqual(['/v1/projects/acme/deployments/before/promote']);
});

test('a rollback without an earlier live build fails with build_not_kept', async () => {
  for (const live of [null, { previousId: null }]) {
    const rollback = rollBack(fakeApi(live).api, 'acme', undefined, createOutput({ json: true }));
    await expect(rollback).rejects.toMatchObject({ code: 'build_not_kept' });
  }
});
