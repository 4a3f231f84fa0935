import { fileURLToPath } from 'node:url';
import { resolveMarks } from '@docent/format/links.ts';
import { expect, test } from 'vitest';
import { buildSite } from '../build-site.ts';
import { describeFile } from '../files/file-sink.ts';
import { readStoredPage } from '../pages/stored-page.ts';

const site = fileURLToPath(new URL('../../../../test/sites/descriptions', import.meta.url));
const stored = new Map<string, Uint8Array>();
const add = async (bytes: Uint8Array, type: string) => {
  const file = describeFile(bytes, type);
  stored.set(file.sha256, bytes);
  return file;
};
const build = await buildSite(site, { add }, { threads: 1 });
const contentOf = (path: string) => {
  const page = build.pages.find((one) => one.path === path);
  return readStoredPage(stored.get(page?.content.sha256 ?? '') as Uint8Array);
};
const findings = (code: string) => build.report.diagnostics.filter((one) => one.code === code);

test.each([
  ['setting', 'Main user', '/users/{id}'],
  ['setting-slash', 'Main users', '/users/'],
  ['setting-server', 'Main creation', '/users/'],
  ['setting-folder', 'In the folder', '/in-folder'],
  ['named-path', 'Admin user', '/users/{id}'],
  ['named-stem', 'Third version', '/x'],
  ['named-file', 'Audit logs', '/audit_logs'],
  ['named-folder', 'Admin user', '/users/{id}'],
  ['named-elsewhere', 'Audit logs', '/audit_logs'],
  ['discovered', 'First by name', '/found'],
  ['webhook', 'Order paid', 'order.paid'],
])('the page "%s" shows the operation that its settings name', (path, title, route) => {
  expect(build.pages.find((page) => page.path === path)?.title).toBe(title);
  expect(contentOf(path).markdown).toContain(route);
});

test('an operation in the navigation is found in a description that no setting names', () => {
  const page = build.pages.find((one) => one.title === 'Named by the navigation');
  expect(page?.path).toBe('api-reference/named-by-the-navigation');
  expect(contentOf(page?.path ?? '').markdown).toContain('/listed');
});

test('links between operations in the style of Redoc and Swagger UI point to the pages of the operations', () => {
  const links = [
    ...contentOf('setting-slash').html.matchAll(
      /<a [^>]*?href="([^"]*)"[^>]*>(creating|read|all of them|the same)</g,
    ),
  ];
  expect(
    Object.fromEntries(
      links.map(([, href = '', text]) => [text, resolveMarks(href, (_, target) => target)]),
    ),
  ).toEqual({
    creating: '/setting-server',
    read: '/setting',
    'all of them': '/setting',
    'the same': '/setting-server',
  });
  expect(findings('broken-link').filter((one) => one.message.includes('#operation'))).toMatchObject(
    [{ file: 'setting-slash.mdx' }],
  );
});

test('a finding in the text of a description names the file of the description', () => {
  const nowhere = findings('broken-link').filter((one) => one.message.includes('/nowhere'));
  expect(nowhere).toMatchObject([{ file: 'unnamed/a.json' }]);
});

test('a schema and a channel are found in descriptions that no setting names', () => {
  expect(contentOf('schema').html).toContain('amount');
  expect(contentOf('channel').markdown).toContain('/messages');
});

test('a page with an unknown operation keeps its text, reports the error, and counts as failed', () => {
  const { html, markdown } = contentOf('missing');
  for (const text of [html, markdown])
    expect(text).toMatch(/could not be found.*GET \/nowhere.*The words of the page itself/s);
  expect(findings('unknown-operation')).toMatchObject([{ severity: 'error', file: 'missing.mdx' }]);
  expect(build.report.failedPageCount).toBe(1);
});

test('a page that names another description than the one it shows has a warning with that description', () => {
  expect(
    findings('other-description').map((one) => [
      one.file,
      one.message.includes('openapi-admin.json'),
    ]),
  ).toEqual([['named-elsewhere.mdx', true]]);
});
