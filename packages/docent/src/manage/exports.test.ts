import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { cancelExport, getExportLink, listExports } from './exports.ts';

test('exports are listed by site and status, and linked and canceled by job id', async () => {
  const sent: string[] = [];
  const request = async (method: string, path: string): Promise<unknown> => {
    sent.push(`${method} ${path}`);
    if (method === 'GET') return { jobs: [], nextCursor: null };
    return method === 'POST' ? { bundleUrl: 'https://a.example/b.tar.gz' } : { jobId: 'se_1' };
  };
  const api = clientOf(request as ApiClient['request']);
  const output = createOutput({ json: true });
  await listExports(api, output, { site: 'acme', status: 'failed', limit: 5 });
  await getExportLink(api, output, 'se_1');
  await cancelExport(api, output, 'se_1');
  expect(sent).toEqual([
    'GET /v1/static-export/jobs?limit=5&domain=acme&status=failed',
    'POST /v1/static-export/jobs/se_1/bundle',
    'DELETE /v1/static-export/jobs/se_1',
  ]);
});
