import { expect, test } from 'vitest';
import type { ApiClient, ApiRequest } from '../api-client.ts';
import { createOutput } from '../output.ts';
import { showLive } from './live.ts';

const live = {
  at: '2026-11-21T10:42:00.000Z',
  last5Minutes: { readers: 4, views: 9, aiViews: 2 },
  last30Minutes: { readers: 17, views: 61, aiViews: 8 },
  pages: [{ path: '/guides/start', readers: 6, views: 11, aiViews: 1 }],
  sources: [{ source: '', readers: 3, views: 3 }],
  machines: [],
};

test('current readers are printed without empty lists, and returned completely as JSON', async () => {
  const requested: string[] = [];
  const request = async ({ method, path }: ApiRequest): Promise<unknown> => {
    requested.push(`${method} ${path}`);
    return live;
  };
  const printed: string[] = [];
  const values: unknown[] = [];
  const output = {
    ...createOutput({ json: true }),
    print: (text: string) => void printed.push(text),
    json: (value: unknown) => void values.push(value),
  };
  await showLive({ request: request as ApiClient['request'] }, { site: 'acme', limit: 5, path: '/guides/start' }, output);
  expect(requested).toEqual(['GET /v1/analytics/acme/live?limit=5&path=%2Fguides%2Fstart']);
  expect(printed.join('\n')).toContain('4 readers, 9 views, 2 views by AI in the last 5 minutes');
  expect(printed.join('\n')).toMatch(/\/guides\/start +6 +11 +1/);
  expect(printed.join('\n')).not.toContain('MACHINE');
  expect(values).toEqual([live]);
});
