import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, publishArchive, tarball, until } from '../support/http.ts';
import { rawGet } from '../support/raw-get.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

let docent: RunningDocent;
beforeAll(async () => {
  docent = await sharedDocent();
  const folder = await temporaryFolder();
  const pages = {
    'index.mdx': 'Welcome',
    'start.mdx': 'Start',
    'fr/index.mdx': 'Bienvenue',
    'de/anfang.mdx': 'Anfang',
  };
  const languages = [
    { language: 'en', pages: ['index', 'start'] },
    { language: 'fr', pages: ['fr/index'] },
    { language: 'de', pages: ['de/anfang'] },
  ];
  const config = {
    theme: 'mint',
    name: 'Three',
    colors: { primary: '#4f46e5' },
    navigation: { languages },
  };
  for (const [path, title] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `---\ntitle: ${title}\n---\n\n${title}.\n`);
  }
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config));
  await publishArchive(docent, 'three', tarball(folder));
});
afterAll(removeTemporaryFolders);

const root = (headers: Record<string, string>) =>
  rawGet({ url: docent.apiUrl }, '/', { host: `three.localhost:${docent.port}`, ...headers });

test('the root redirects readers to their preferred language, varies on Accept-Language, and sets no cookie', async () => {
  for (const [header, location] of [
    ['fr-CA,fr;q=0.9,en;q=0.5', '/fr'],
    ['it,de;q=0.7', '/de/anfang'],
  ] as const) {
    const response = await root({ 'accept-language': header });
    expect(response.status).toBe(307);
    expect(response.headers.location).toBe(location);
    expect(response.headers.vary).toContain('accept-language');
    expect(response.headers['set-cookie']).toBeUndefined();
  }
});

test('the root does not redirect other clients or readers who come from a page of the site', async () => {
  const own = `http://three.localhost:${docent.port}/fr`;
  const asked: Record<string, string>[] = [
    {},
    { 'accept-language': 'en,fr;q=0.9' },
    { 'accept-language': 'ja' },
    { 'accept-language': 'fr', referer: own },
    { 'accept-language': 'fr', 'sec-fetch-site': 'same-origin' },
    { 'accept-language': 'fr', accept: 'text/markdown' },
  ];
  for (const headers of asked) {
    const response = await root(headers);
    expect(response.status, JSON.stringify(headers)).toBe(200);
    expect(response.headers.vary).toContain('accept-language');
  }
});

test('below a path of a website, only pages of the site count as such, not others of the website', async () => {
  const body = { settings: { publicUrl: 'https://www.acme.example/docs' } };
  await call(docent, docent.adminKey, 'PATCH', '/v1/projects/three', body);
  const below = (headers: Record<string, string>) =>
    rawGet({ url: docent.apiUrl }, '/docs', {
      host: `three.localhost:${docent.port}`,
      'accept-language': 'fr',
      ...headers,
    });
  await until(async () => ((await below({})).headers.location === '/docs/fr' ? true : undefined));
  for (const [referer, status] of [
    ['https://www.acme.example/pricing', 307],
    ['https://www.acme.example/docs-team', 307],
    ['https://www.acme.example/docs/start', 200],
    [`http://three.localhost:${docent.port}/docs/start`, 200],
  ] as const) {
    const response = await below({ referer, 'sec-fetch-site': 'same-origin' });
    expect([referer, response.status]).toEqual([referer, status]);
  }
});
