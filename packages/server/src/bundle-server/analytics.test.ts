import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { runAnalyticsReport } from '../../../docent/src/authoring/analytics-report.ts';
import { openEventFiles } from './analytics.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-events-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (maxDayBytes?: number) =>
  openEventFiles(folder, {
    keepDays: 3,
    logger: silentLogger,
    ...(maxDayBytes !== undefined && { maxDayBytes }),
  });

function event(time: string, more: Partial<AnalyticsEvent> = {}): AnalyticsEvent {
  const texts = {
    agent: '',
    version: '',
    language: '',
    name: '',
    target: '',
    source: '',
    campaign: '',
    groups: '',
    device: '',
    browser: '',
  };
  const base = {
    siteId: 'bundle',
    kind: 'view',
    class: 'human',
    visitor: '1',
    path: '/a',
    amount: 0,
    position: 0,
  } as const;
  return { ...base, ...texts, at: new Date(time), ...more };
}

async function report(options: object = {}) {
  const result: { json: Record<string, unknown>; text: string; notes: string[] } = {
    json: {},
    text: '',
    notes: [],
  };
  await runAnalyticsReport(folder, options, {
    result: (text, value) => {
      result.text += text;
      result.json = value as Record<string, unknown>;
    },
    print: () => {},
    json: () => {},
    progress: () => {},
    note: (text) => result.notes.push(text),
  });
  return result;
}

test('the report counts events like the platform, by day, with one visit per visitor and day', async () => {
  const files = await open();
  await files.append([
    event('2026-11-20T10:00:00Z'),
    event('2026-11-20T10:01:00Z', { path: '/b' }),
    event('2026-11-21T09:00:00Z', { source: 'a.example' }),
    event('2026-11-20T11:00:00Z', {
      visitor: '2',
      class: 'ai.agent',
      agent: 'Claude-User',
      name: 'markdown',
    }),
    event('2026-11-20T11:30:00Z', {
      path: '/c',
      visitor: '2',
      class: 'ai.agent',
      agent: 'Claude-User',
      name: 'markdown',
    }),
    event('2026-11-20T12:00:00Z', { kind: 'search', name: 'Keys', target: '/b' }),
    event('2026-11-20T12:01:00Z', { kind: 'search', name: 'keys' }),
  ]);
  const { json, text } = await report();
  expect(json).toMatchObject({
    from: '2026-11-20',
    to: '2026-11-21',
    totals: { views: 3, visitors: 2, aiViews: 2, searches: 2 },
    Pages: [
      { Page: '/a', Views: 2, Visitors: 2, 'Views by AI': 1 },
      { Page: '/b', Views: 1, Visitors: 1 },
      { Page: '/c', Views: 0, 'Views by AI': 1 },
    ],
    Searches: [{ Search: 'keys', Searches: 2, 'Opened a result': '50 %' }],
    Machines: [{ Class: 'ai.agent', Agent: 'Claude-User', Requests: 2 }],
    Exits: [{ Page: '/a' }, { Page: '/b' }],
  });
  expect(text).toContain('3 views by 2 daily visitors');
  expect((await report({ from: '2026-11-21' })).json).toMatchObject({ totals: { views: 1 } });
  await expect(report({ from: '2026-12-01' })).rejects.toThrow(/no events-/);
  await expect(report({ from: 'yesterday' })).rejects.toThrow(/is not a date/);
});

test('the HTML report escapes the input of readers and loads nothing from a server', async () => {
  const files = await open();
  await files.append([
    event('2026-11-20T10:00:00Z', { kind: 'search', name: '<script>alert(1)</script>\u001b[2J' }),
  ]);
  const file = join(folder, 'report.html');
  await report({ html: file });
  const page = await readFile(file, 'utf8');
  expect(page).toContain('&lt;script&gt;alert(1)');
  expect(page).not.toMatch(/<script|src=|href=/);
  expect((await report()).text).not.toContain('\u001b');
});

test('a file stops at its size limit, truncated lines are skipped, and the salt survives a restart', async () => {
  const files = await open(500);
  await files.append([event('2026-11-20T10:00:00Z')]);
  await files.append([event('2026-11-20T10:00:01Z'), event('2026-11-20T10:00:02Z')]);
  await files.append([event('2026-11-21T10:00:00Z')]);
  expect(await report()).toMatchObject({ json: { totals: { views: 2 } }, notes: [] });
  const { appendFile } = await import('node:fs/promises');
  await appendFile(join(folder, 'events-2026-11-21.ndjson'), '{"at":"2026-11-2');
  expect((await report()).notes).toEqual(['1 lines are not events and were skipped.']);
  const salt = await files.saltOf('2026-11-20');
  expect(await (await open()).saltOf('2026-11-20')).toBe(salt);
  expect(await files.saltOf('2026-11-21')).not.toBe(salt);
});

test('repeated feedback replaces earlier feedback, and the report shows it by page with comments', async () => {
  const files = await open();
  const feedback = {
    at: new Date('2026-11-20T10:00:00Z'),
    id: 'a'.repeat(20),
    path: '/a',
    helpful: true,
  };
  await files.keepFeedback(feedback);
  await files.keepFeedback({
    ...feedback,
    helpful: false,
    reason: 'wrong',
    comment: 'The <b>port</b> is another.',
  });
  await files.keepFeedback({ ...feedback, id: 'b'.repeat(20) });
  expect((await report()).json).toMatchObject({
    Feedback: [{ Page: '/a', Helpful: 1, 'Not helpful': 1 }],
    Comments: [
      {
        Day: '2026-11-20',
        Page: '/a',
        Helpful: 'no',
        Reason: 'wrong',
        Comment: 'The <b>port</b> is another.',
      },
    ],
  });
  await files.expire(new Date('2026-11-24T00:00:00Z'));
  expect(await readdir(folder)).toEqual([]);
});

test('event files are deleted after their retention time, and salts after 48 hours', async () => {
  const files = await open();
  for (const day of ['2026-11-18', '2026-11-20', '2026-11-21']) {
    await files.append([event(`${day}T10:00:00Z`)]);
    await files.saltOf(day);
  }
  await files.expire(new Date('2026-11-22T00:00:00Z'));
  expect((await readdir(folder)).sort()).toEqual([
    'events-2026-11-20.ndjson',
    'events-2026-11-21.ndjson',
    'salt-2026-11-21.txt',
  ]);
});
