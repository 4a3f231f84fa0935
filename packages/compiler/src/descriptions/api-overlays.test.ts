import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { buildSite } from '../build-site.ts';
import { describeFile } from '../files/file-sink.ts';
import { readStoredPage } from '../pages/stored-page.ts';

vi.setConfig({ testTimeout: 180_000 });

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const operation = (summary: string) => ({ get: { summary, responses: {} } });
const API = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/orders': operation('Orders'), '/secret': operation('Secret plans') },
};
const overlay = (actions: unknown[], more: object = {}) =>
  JSON.stringify({ overlay: '1.0.0', info: {}, actions, ...more });
const HIDE = { target: "$.paths['/secret']", remove: true };
const RENAME = { target: "$.paths['/orders'].get", update: { summary: 'All orders' } };

async function build(openapi: unknown, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-overlays-'));
  folders.push(folder);
  const config = {
    theme: 'mint',
    name: 'X',
    colors: { primary: '#000000' },
    navigation: { groups: [{ group: 'API', openapi }] },
  };
  const all = { 'docs.json': JSON.stringify(config), 'api.json': JSON.stringify(API), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const stored = new Map<string, Uint8Array>();
  const sink = {
    add: async (bytes: Uint8Array, type: string) => {
      const file = describeFile(bytes, type);
      stored.set(file.sha256, bytes);
      return file;
    },
  };
  const site: SiteBuild = await buildSite(folder, sink, { threads: 1 });
  const pageText = (path: string) => {
    const content = site.pages.find((page) => page.path === path)?.content.sha256 ?? '';
    const file = stored.get(content);
    return file ? readStoredPage(file).markdown : '';
  };
  const problems = site.report.diagnostics.filter(({ code }) => code.startsWith('overlay'));
  return {
    site,
    titles: site.pages.map(({ title }) => title),
    texts: [...stored.values()].map((bytes) => new TextDecoder().decode(bytes)).join('\n'),
    pageText,
    problems,
  };
}

describe('the overlays of an API description', () => {
  it('in docs.json change pages, paths and menu, and their files are not published', async () => {
    const { site, titles, texts, problems } = await build(
      { source: 'api.json', overlays: ['overlays/hide.json', 'overlays/names.yaml'] },
      {
        'overlays/hide.json': overlay([HIDE]),
        'overlays/names.yaml': `overlay: 1.1.0\nactions:\n  - ${JSON.stringify(RENAME)}\n`,
      },
    );
    expect(problems).toEqual([]);
    expect(titles).toEqual(['All orders']);
    expect(site.pages.map(({ path }) => path)).toEqual(['api-reference/all-orders']);
    expect(Object.keys(site.files).filter((path) => /api|overlays/.test(path))).toEqual([]);
    expect(texts).not.toContain('Secret');
  });

  it('that extend it are found, and applied in the order of their paths', async () => {
    const files = {
      'b/second.json': overlay([{ ...RENAME, update: { summary: 'Second' } }, HIDE], {
        extends: '../api.json',
      }),
      'a/first.json': overlay([RENAME], { extends: '/api.json' }),
      'a/other.json': overlay([{ target: '$.paths', remove: true }], { extends: 'other-api.json' }),
      'a/loose.json': overlay([{ target: '$.paths', remove: true }]),
    };
    expect((await build('api.json', files)).titles).toEqual(['Second']);
    expect((await build({ source: 'api.json', overlays: [] }, files)).titles).toEqual([
      'Orders',
      'Secret plans',
    ]);
    expect((await build({ source: 'api.json', overlays: ['a/first.json'] }, files)).titles).toEqual(
      ['All orders', 'Secret plans'],
    );
  });

  it('apply to operations in the frontmatter of pages, including their new paths', async () => {
    const moved = [
      { target: '$.paths', update: { '/sales': {} } },
      { target: "$.paths['/sales']", copy: "$.paths['/orders']" },
      { target: "$.paths['/orders']", remove: true },
    ];
    const { pageText } = await build('api.json', {
      'moved.json': overlay(moved, { overlay: '1.1.0', extends: 'api.json' }),
      'sales.mdx': '---\ntitle: Sales\nopenapi: "GET /sales"\n---\n\nMore.\n',
    });
    expect(pageText('sales')).toContain('/sales');
    expect(pageText('sales')).not.toContain('/orders');
  });

  it('that fail are reported, and a failed overlay of docs.json hides the description', async () => {
    const broken = { 'bad.json': overlay([HIDE, { target: 'paths', update: {} }]) };
    const named = await build({ source: 'api.json', overlays: ['bad.json'] }, broken);
    expect(named.problems).toMatchObject([
      { severity: 'error', code: 'overlay-failed', file: 'bad.json' },
    ]);
    expect(named.texts).not.toContain('Secret');
    const missing = await build({ source: 'api.json', overlays: ['gone.json'] }, {});
    expect(missing.problems[0]?.message).toContain('it cannot be read');
    const found = await build('api.json', {
      'bad.json': overlay([{ target: 'paths', update: {} }], { extends: 'api.json' }),
    });
    expect(found.problems).toMatchObject([{ severity: 'warning' }]);
    expect(found.titles).toEqual(['Orders', 'Secret plans']);
  });

  it('that differ between two places are an error, and all of them are applied', async () => {
    const { problems, titles } = await build(
      [
        { source: 'api.json', overlays: ['hide.json'] },
        { source: 'api.json', overlays: ['names.json'], directory: 'again' },
      ],
      { 'hide.json': overlay([HIDE]), 'names.json': overlay([RENAME]) },
    );
    expect(problems).toMatchObject([{ severity: 'error', code: 'overlay-conflict' }]);
    expect(new Set(titles)).toEqual(new Set(['All orders']));
  });
});
