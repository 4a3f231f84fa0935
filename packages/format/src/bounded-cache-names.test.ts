import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CACHES } from './bounded-cache.ts';

const root = new URL('../../../', import.meta.url);

test('the documentation has a row with the bound of every cache, and of no other', () => {
  const page = readFileSync(new URL('docs/self-hosting/memory.mdx', root), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(CACHES));
});

test('every cache of a server is a bounded cache, or belongs to an entry of one or to a build', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root.pathname }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const withCache = files.filter((file) =>
    /from 'lru-cache'/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(withCache.sort()).toEqual([
    'packages/compiler/src/descriptions/parsed-descriptions.ts',
    'packages/compiler/src/highlight/site-languages.ts',
    'packages/format/src/bounded-cache.ts',
    'packages/format/src/content/nodes/plain-markdown.ts',
    'packages/format/src/content/render/formula.ts',
    // Ten thousand names of files on disk.
    'packages/server/src/adapters/blob-store/disk-cache.ts',
    // A few objects for each build in memory, which share everything large.
    'packages/server/src/serving/held-builds.ts',
    // Two identifiers for each site.
    'packages/server/src/serving/open-live-sites.ts',
    // A few objects for each live site in memory, which share everything large.
    'packages/server/src/serving/site-use.ts',
  ]);
});
