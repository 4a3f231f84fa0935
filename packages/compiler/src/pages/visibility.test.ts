import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSite } from '../build-site.ts';
import { describeFile, type FileSink } from '../files/file-sink.ts';
import { hostedAddresses } from '../site/site-addresses.ts';
import { listings } from '../site/site-listings.ts';
import { createSiteRenderer } from '../site/site-renderer.ts';
import { readStoredPage } from './stored-page.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const origin = 'https://docs.acme.test';

async function siteOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-visibility-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const stored = new Map<string, Uint8Array>();
  const sink: FileSink = {
    add: async (bytes, type) => {
      const file = describeFile(bytes, type);
      stored.set(file.sha256, bytes);
      return file;
    },
  };
  const build = await buildSite(folder, sink, { threads: 1 });
  return { build, stored };
}

/**
 * Where a page is visible: in the menu, the search, the sitemap, to search engines, and in
 * llms.txt.
 */
async function visibilityOf({
  build,
  stored,
}: {
  build: SiteBuild;
  stored: Map<string, Uint8Array>;
}) {
  const renderer = createSiteRenderer(build, {
    addresses: hostedAddresses('', build),
    assetFile: (asset) => asset,
    searchIndexFile: () => 'search-index.js',
    origin,
  });
  const site = { build, pages: build.pages, origin, sectionOf: renderer.sectionOf };
  const text = (name: string) => listings.get(name)?.(site, async () => '') ?? '';
  const [sitemap, llms] = await Promise.all([text('sitemap.xml'), text('llms.txt')]);
  const index = loadSearchIndex(stored.get(build.searchIndex.sha256) as Uint8Array);
  const found = new Set(index.search('zebra', { limit: 100 }).map((hit) => hit.document.path));
  const menu =
    JSON.stringify(renderer.menuFor('index').sidebar) +
    JSON.stringify(renderer.menuFor('index').levels);
  return (path: string) => {
    const page = build.pages.find((one) => one.path === path);
    if (!page) throw new Error(`There is no page ${path}.`);
    const content = readStoredPage(stored.get(page.content.sha256) as Uint8Array);
    const html = renderer.page(page, content);
    const yes = (is: boolean) => (is ? 'yes' : 'no');
    return [
      yes(menu.includes(`"/${path}"`)),
      yes(found.has(path)),
      yes(sitemap.includes(`${origin}/${path}<`)),
      yes(!/<meta name="robots" content="noindex/.test(html)),
      yes(llms.includes(`${origin}/${path}.md`)),
    ].join(' ');
  };
}

const page = (frontmatter = '') => `---\ntitle: T\n${frontmatter}---\n\nA zebra.\n`;
const files = {
  'index.mdx': page(),
  'plain.mdx': page(),
  'hidden.mdx': page('hidden: true\n'),
  'orphan.mdx': page(),
  'noindex.mdx': page('noindex: true\n'),
  'unsearchable.mdx': page('searchable: false\n'),
  'secret.mdx': page(),
  'findable.mdx': page(),
};
const navigation = {
  groups: [
    { group: 'Docs', pages: ['index', 'plain', 'hidden', 'noindex', 'unsearchable'] },
    { group: 'Closed', hidden: true, pages: ['secret'] },
    { group: 'Quiet', hidden: true, searchable: true, pages: ['findable'] },
  ],
};
const docsJson = (seo = {}) =>
  JSON.stringify({ theme: 'mint', name: 'Acme', colors: { primary: '#0d9373' }, navigation, seo });

describe('the visibility of a page (menu, search and answers, sitemap, search engines, llms.txt)', () => {
  it('follows the frontmatter, the navigation and seo.indexing', async () => {
    const seen = await visibilityOf(await siteOf({ ...files, 'docs.json': docsJson() }));
    expect(
      Object.fromEntries(Object.keys(files).map((file) => [file, seen(file.replace('.mdx', ''))])),
    ).toMatchObject({
      'plain.mdx': 'yes yes yes yes yes',
      'hidden.mdx': 'no no no no no',
      // Omitted from the sitemap, but indexable through links.
      'orphan.mdx': 'no no no yes no',
      'noindex.mdx': 'yes no no no no',
      'unsearchable.mdx': 'yes no yes yes yes',
      'secret.mdx': 'no no no no no',
      'findable.mdx': 'no yes yes yes yes',
    });
    const all = await visibilityOf(
      await siteOf({ ...files, 'docs.json': docsJson({ indexing: 'all' }) }),
    );
    expect(all('orphan')).toBe('no yes yes yes yes');
    expect(all('hidden')).toBe('no no no no no');
  });
});

it('a secret in a page or a snippet is in no file of the build, and the report names its line', async () => {
  const key = ['sk_live', '51HqKzE8mTnRw3VbYx9Lc2Df7'].join('_');
  const token = ['ghp', 'R7kZ2mQ9xT4vB8nL3cW6yH1jD5fS0aE2gU9p'].join('_');
  const { build, stored } = await siteOf({
    'docs.json': docsJson(),
    'index.mdx': `---\ntitle: T\n---\n\nimport Setup from '/snippets/setup.mdx';\n\n\`\`\`bash\nexport KEY=${key}\n\`\`\`\n\n<Setup />\n`,
    'snippets/setup.mdx': `Log in with \`${token}\`.\n`,
  });
  for (const [name, bytes] of stored) {
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.includes(key.slice(8)) || text.includes(token.slice(4)), name).toBe(false);
  }
  const content = readStoredPage(
    stored.get(
      build.pages.find(({ path }) => path === 'index')?.content.sha256 ?? '',
    ) as Uint8Array,
  );
  expect(content.markdown).toContain(`KEY=sk_live_${'x'.repeat(25)}`);
  expect(content.markdown).toContain(`ghp_${'x'.repeat(36)}`);
  const places = build.report.diagnostics
    .filter(({ code }) => code === 'secret-in-page')
    .map(({ file, line, severity }) => ({ file, line, severity }));
  expect(places).toEqual([
    { file: 'index.mdx', line: 8, severity: 'error' },
    { file: 'snippets/setup.mdx', line: 1, severity: 'error' },
  ]);
});
