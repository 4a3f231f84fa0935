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

test('who reads now is printed with its lists, empty ones left out, and given whole as JSON', async () => {
  const asked: string[] = [];
  const request = async ({ method, path }: ApiRequest): Promise<unknown> => {
    asked.push(`${method} ${path}`);
    return live;
  };
  const printed: string[] = [];
  const given: unknown[] = [];
  const output = {
    ...createOutput({ json: true }),
    print: (text: string) => void printed.push(text),
    json: (value: unknown) => void given.push(value),
  };
  await showLive({ request: request as ApiClient['request'] }, { site: 'acme', limit: 5, path: '/guides/start' }, output);
  expect(asked).toEqual(['GET /v1/analytics/acme/live?limit=5&path=%2Fguides%2Fstart']);
  expect(printed.join('\n')).toContain('4 readers, 9 views, 2 views by AI in the last 5 minutes');
  expect(printed.join('\n')).toMatch(/\/guides\/start +6 +11 +1/);
  expect(printed.join('\n')).not.toContain('MACHINE');
  expect(given).toEqual([live]);
});
