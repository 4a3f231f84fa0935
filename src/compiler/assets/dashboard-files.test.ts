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

const documentAt = (path: string, isSignedIn = true) => dashboard.document(path, 'https://docs.example', isSignedIn);

test('the document of an address has its names in it, and what is named comes before what stands for anything', () => {
  expect(documentAt('/acme')).toBe('sites of acme');
  expect(documentAt('/acme/docs.acme.example')).toBe('docs.acme.example of acme at https://docs.example');
  expect(documentAt('/acme/docs/keys')).toBe('keys of docs');
  expect(documentAt('/acme/settings/keys')).toBe('keys of acme __no_part__');
});

test('who has no session gets the document of nobody in particular, but for the pages for signing in', () => {
  expect(documentAt('/acme', false)).toBe('somebody');
  expect(documentAt('/sign-in', false)).toBe('sign-in');
  expect(documentAt('/invite/a-token', false)).toBe('invitation');
});

test('nothing of an address comes into the document that HTML or replacement would read', () => {
  for (const name of ['%3Cscript%3E', '"onload="x', '$&', '', '__proto__/x', 'a/b/c/d'])
    expect(documentAt(`/acme/${name}/keys`), name).toBe('somebody');
  expect(documentAt('/__domain__/docs')).toBe('docs of __domain__ at https://docs.example');
});
