import { createRedirectEnds } from '@docent/format/site-files/redirects.ts';
import { expect, test } from 'vitest';
import { memorySourceTree } from '../../source/source-tree.ts';
import { draftSite } from '../draft-site.ts';
import { readSiteModel } from '../site-model.ts';

/** Where the former addresses of a folder lead with the settings that are drafted for it. */
function destinations(files: Readonly<Record<string, string>>, addresses: readonly string[]) {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  const draft = draftSite('Acme', memorySourceTree(bytes)).files;
  for (const [path, text] of draft) bytes.set(path, Buffer.from(text));
  const model = readSiteModel(memorySourceTree(bytes));
  const follow = createRedirectEnds(model.config.redirects);
  const pages = new Set(model.pages.map(({ href }) => href));
  expect(model.diagnostics.filter(({ code }) => code.startsWith('redirect'))).toEqual([]);
  return addresses.map((address) => {
    const target = decodeURI(follow(address)?.destination ?? address);
    return pages.has(target) || /^https:/.test(target) ? target : `nothing at ${target}`;
  });
}

test('the addresses of Docusaurus lead to its pages: by slug, by id, without numbers, as the page of a folder', () => {
  const files = {
    'website/docusaurus.config.ts': `const config: Config = {
  title: 'Acme',
  presets: [['classic', { docs: { path: 'pages', routeBasePath: '/', sidebarPath: require.resolve('./sidebars') } }]],
  plugins: [
    ['@docusaurus/plugin-content-docs', { id: 'community', path: 'community', routeBasePath: 'community' }],
    ['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/old', '/older.html'], to: '/deep/start' }] }],
  ],
};
export default config;`,
    'website/pages/01-intro.md': '---\nslug: /\n---\n# Intro',
    'website/pages/02-deep/_category_.yml': 'label: Deep things\nlink: { type: generated-index }',
    'website/pages/02-deep/1_ start.mdx': '# Start',
    'website/pages/02-deep/2024-10-20-notes.md': '# Notes',
    'website/pages/02-deep/other.md': '---\nid: same\nslug: ../elsewhere\n---\n# Other',
    'website/pages/02-deep/_part.md': 'Part',
    'website/pages/named/Named.md': '# Named',
    'website/pages/readme/README.md': '---\nid: ignored\n---\n# Readme',
    'website/community/team.md': '# Team',
  };
  expect(
    destinations(files, [
      '/deep/start',
      '/deep/2024-10-20-notes',
      '/elsewhere',
      '/named',
      '/readme',
      '/community/team',
      '/old',
      '/older',
      '/category/deep-things',
    ]),
  ).toEqual([
    '/website/pages/02-deep/1_ start',
    '/website/pages/02-deep/2024-10-20-notes',
    '/website/pages/02-deep/other',
    '/website/pages/named/Named',
    '/website/pages/readme/README',
    '/website/community/team',
    '/website/pages/02-deep/1_ start',
    '/website/pages/02-deep/1_ start',
    '/website/pages/02-deep/1_ start',
  ]);
});

test('a folder that moved has one redirect, and none hides a page of the same address', () => {
  const files = {
    'mkdocs.yml': `plugins:
  - search
  - redirects:
      redirect_maps:
        "old/a.md": guide/a.md#part
        "out.md": https://example.com/x
        "docs/guide/b.md": guide/a.md
`,
    'docs/guide/a.md': '# A',
    'docs/guide/b.md': '# B',
    'docs/guide/README.md': '# Guide',
    'docs/docs/c.md': '# C',
  };
  expect(
    destinations(files, ['/guide', '/guide/a', '/old/a', '/docs/guide/b', '/docs/c', '/out']),
  ).toEqual([
    '/docs/guide/README',
    '/docs/guide/a',
    '/docs/guide/a',
    '/docs/guide/b',
    '/docs/docs/c',
    'https://example.com/x',
  ]);
});

test('the rewrites of VitePress and the redirects of GitBook lead to the files that they name', () => {
  const config = `export default { srcDir: './src', rewrites: { 'packages/:name/docs/:page.md': 'api/:name/:page.md' } }`;
  const pages = { 'src/packages/core/docs/a.md': '# A', 'src/guide/index.md': '# Guide' };
  expect(
    destinations({ '.vitepress/config.mts': config, ...pages }, ['/guide', '/api/core/a']),
  ).toEqual(['/src/guide', '/src/packages/core/docs/a']);
  const gitbook = {
    '.gitbook.yaml': 'root: ./book/\nredirects:\n  before/page: ./now/page.md',
    'book/SUMMARY.md': '* [Welcome](README.md)\n* [Page](now/page.md)',
    'book/README.md': '# Welcome',
    'book/now/page.md': '# Page',
  };
  expect(destinations(gitbook, ['/now/page', '/before/page'])).toEqual([
    '/book/now/page',
    '/book/now/page',
  ]);
});

test.each([
  ['with a fault', { 'mkdocs.yml': 'plugins: [' }],
  [
    'of other types',
    { 'mkdocs.yml': 'docs_dir: [1]\nplugins: { redirects: { redirect_maps: [x] } }' },
  ],
  [
    'that is code',
    { 'docusaurus.config.js': 'module.exports = { presets: read(), redirects: [1, {}] }' },
  ],
])('settings %s are no fault of the folder', (_, files) => {
  expect(destinations({ ...files, 'docs/a.md': '# A' }, ['/docs/a'])).toEqual(['/docs/a']);
});
