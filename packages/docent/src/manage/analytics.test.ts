import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { changeFeedback, listFeedback, showLive } from './analytics.ts';

const row = {
  id: 'reader-0000000001',
  about: 'page',
  path: '/guides/start',
  comment: 'No\u001b[2J\nexample.',
  reason: 'missing',
  createdAt: '2026-11-21T10:42:00.000Z',
  status: 'pending',
  note: null,
  helpful: false,
  question: null,
};

test('feedback is listed with filters, changed by id, and printed without control characters', async () => {
  const sent: string[] = [];
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    sent.push(`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
    return method === 'GET'
      ? { feedback: [row], nextCursor: null }
      : { ...row, status: 'resolved' };
  };
  const api = clientOf(request as ApiClient['request']);
  const printed: string[] = [];
  const output = {
    ...createOutput({ json: true }),
    print: (text: string) => void printed.push(text),
    json: () => {},
  };
  const filters = {
    status: 'pending',
    about: 'page',
    helpful: 'no',
    path: '/guides/start',
    from: '2026-11-01',
  };
  await listFeedback(api, output, { site: 'acme', limit: 5, ...filters });
  await changeFeedback(api, output, row.id, { site: 'acme', status: 'resolved', note: '' });
  await expect(changeFeedback(api, output, row.id, { site: 'acme' })).rejects.toThrow(
    /--status, --note/,
  );
  expect(sent).toEqual([
    'GET /v1/analytics/acme/feedback?limit=5&status=pending&about=page&path=%2Fguides%2Fstart&helpful=false&dateFrom=2026-11-01',
    'PATCH /v1/analytics/acme/feedback/reader-0000000001 {"status":"resolved","note":null}',
  ]);
  expect(printed[0]).toContain('/guides/start  missing: No [2J example.');
  expect(printed[1]).toBe('reader-0000000001 is resolved.');
});

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
  const request = async (method: string, path: string): Promise<unknown> => {
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
  await showLive(clientOf(request as ApiClient['request']), output, {
    site: 'acme',
    limit: 5,
    path: '/guides/start',
  });
  expect(requested).toEqual(['GET /v1/analytics/acme/live?limit=5&path=%2Fguides%2Fstart']);
  expect(printed.join('\n')).toContain('4 readers, 9 views, 2 views by AI in the last 5 minutes');
  expect(printed.join('\n')).toMatch(/\/guides\/start +6 +11 +1/);
  expect(printed.join('\n')).not.toContain('MACHINE');
  expect(values).toEqual([live]);
});
