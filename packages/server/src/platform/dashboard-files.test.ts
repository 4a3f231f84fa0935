import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, loadDashboard } from './dashboard-files.ts';

let folder: string;
let dashboard: Dashboard;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-dashboard-'));
  await mkdir(join(folder, 'assets'));
  const pages = {
    '/': 'somebody',
    '/sign-in': 'sign-in',
    '/invite/$token': 'invitation',
    '/$org': 'sites of __org__',
    '/$org/$domain': '__domain__ of __org__ at __origin__',
    '/$org/$domain/keys': 'keys of __domain__',
    '/$org/settings/keys': 'keys of __org__ __no_part__',
  };
  await writeFile(join(folder, 'pages.json'), JSON.stringify(pages));
  dashboard = await loadDashboard(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const documentAt = (path: string, isSignedIn = true) =>
  dashboard.document(path, 'https://docs.example', isSignedIn);

test('the document of a URL contains its names, and literal routes take precedence over parameters', () => {
  expect(documentAt('/acme')).toBe('sites of acme');
  expect(documentAt('/acme/docs.acme.example')).toBe(
    'docs.acme.example of acme at https://docs.example',
  );
  expect(documentAt('/acme/docs/keys')).toBe('keys of docs');
  expect(documentAt('/acme/settings/keys')).toBe('keys of acme __no_part__');
});

test('a visitor without a session receives the generic document, except on sign-in pages', () => {
  expect(documentAt('/acme', false)).toBe('somebody');
  expect(documentAt('/sign-in', false)).toBe('sign-in');
  expect(documentAt('/invite/a-token', false)).toBe('invitation');
});

test('special characters of a URL never appear in the document', () => {
  for (const name of ['%3Cscript%3E', '"onload="x', '$&', '', '__proto__/x', 'a/b/c/d'])
    expect(documentAt(`/acme/${name}/keys`), name).toBe('somebody');
  expect(documentAt('/__domain__/docs')).toBe('docs of __domain__ at https://docs.example');
});
