import { expect, test } from 'vitest';
import type { ApiClient, ApiRequest } from '../api-client.ts';
import { createOutput } from '../output.ts';
import { changeFeedback, listFeedback } from './feedback.ts';

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
  const request = async ({ method, path, body }: ApiRequest): Promise<unknown> => {
    sent.push(`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
    return method === 'GET' ? { feedback: [row], nextCursor: null } : { ...row, status: 'resolved' };
  };
  const api = { request: request as ApiClient['request'] };
  const printed: string[] = [];
  const output = { ...createOutput({ json: true }), print: (text: string) => void printed.push(text), json: () => {} };
  const filters = { status: 'pending', about: 'page', helpful: 'no', path: '/guides/start', from: '2026-11-01' };
  await listFeedback(api, { site: 'acme', limit: 5, ...filters }, output);
  await changeFeedback(api, row.id, { site: 'acme', status: 'resolved', note: '' }, output);
  await expect(changeFeedback(api, row.id, { site: 'acme' }, output)).rejects.toThrow(/--status, --note/);
  expect(sent).toEqual([
    'GET /v1/analytics/acme/feedback?limit=5&status=pending&about=page&path=%2Fguides%2Fstart&helpful=false&dateFrom=2026-11-01',
    'PATCH /v1/analytics/acme/feedback/reader-0000000001 {"status":"resolved","note":null}',
  ]);
  expect(printed[0]).toContain('/guides/start  missing: No [2J example.');
  expect(printed[1]).toBe('reader-0000000001 is resolved.');
});
