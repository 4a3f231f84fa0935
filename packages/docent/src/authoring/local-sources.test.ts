import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { openLocalSources, withLocalPlaces } from './local-sources.ts';
import { sourceOption } from './source-option.ts';

const root = mkdtempSync(join(tmpdir(), 'docent-local-sources-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'api-docs'));

function parse(...args: string[]): unknown {
  const command = new Command().addOption(sourceOption()).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  return command.parse(args, { from: 'user' }).opts();
}

test('--source names a path and a folder, and refuses paths that overlap', () => {
  expect(parse('--source', '/api/=../api', '--source', 'sdks/python=../a=b')).toEqual({
    source: { api: '../api', 'sdks/python': '../a=b' },
  });
  expect(() => parse('--source', 'api=../a', '--source', 'api/v2=../b')).toThrow(
    'api and api/v2 overlap',
  );
  for (const bad of ['../api', '=../api', 'api=', '../x=../api', '.git=a'])
    expect(() => parse('--source', bad)).toThrow('for example api=../api-docs');
});

test('a folder that cannot be a source is named with the flag', async () => {
  await expect(openLocalSources({ source: { api: join(root, 'none') } }, root)).rejects.toThrow(
    /There is no folder .*none \(--source api\)/,
  );
  const folder = join(root, 'api-docs');
  await expect(openLocalSources({ source: { api: folder } }, root)).rejects.toThrow('no docs.json');
  writeFileSync(join(folder, 'docs.json'), '{}');
  expect(await openLocalSources({ source: { api: folder } }, root)).toMatchObject([
    { path: 'api', name: 'api-docs', folder },
  ]);
  expect(await openLocalSources({ source: { docs: folder } }, folder)).toMatchObject([
    { path: 'docs', isBase: true },
  ]);
});

test('findings name a file of a source where it is on disk', () => {
  const finding: Diagnostic = {
    ...{ severity: 'warning', code: 'broken-link', message: 'No page.', remedy: 'Correct it.' },
    ...{ file: 'api/guides/a.mdx', line: 3 },
    places: [{ file: 'index.mdx' }, { file: 'api/b.mdx' }],
  };
  const site = join(root, 'site');
  const parts = [{ path: 'api', name: 'acme/api', folder: join(root, 'api-docs') }];
  expect(withLocalPlaces([finding], site, parts)).toMatchObject([
    {
      file: '../api-docs/guides/a.mdx',
      line: 3,
      places: [{ file: 'index.mdx' }, { file: '../api-docs/b.mdx' }],
    },
  ]);
});
