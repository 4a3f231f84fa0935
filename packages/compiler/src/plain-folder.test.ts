import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { buildSite } from './build-site.ts';
import { DevSite } from './dev/dev-site.ts';
import { describeFile } from './files/file-sink.ts';
import { readStoredPage } from './pages/stored-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-plain-'));
afterAll(() => rmSync(folder, { recursive: true }));
let root = '';
let count = 0;
beforeEach(() => {
  root = join(folder, String(count++));
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

async function built() {
  const files = new Map<string, Uint8Array>();
  const build = await buildSite(
    root,
    {
      async add(bytes, type) {
        const file = describeFile(bytes, type);
        files.set(file.sha256, bytes);
        return file;
      },
    },
    { threads: 1 },
  );
  const contentOf = (path: string) => {
    const page = build.pages.find((one) => one.path === path);
    return readStoredPage(files.get(page?.content.sha256 ?? '') ?? new Uint8Array());
  };
  return { build, contentOf, index: files.get(build.searchIndex.sha256) as Uint8Array };
}

const plain = {
  'README.md': '# Acme\n\nSee [the second](guides/b.md#second-page).\n\n## Part\n\nText.\n',
  'guides/10-last.md': '# Last\n\nText.\n',
  'guides/9-before.md': '# Before\n\nText.\n',
  'guides/b.md': '---\nsidebar_position: 1\n---\n\n# Second page\n\nText.\n',
  'guides/untitled.md': '## Section\n\nText.\n',
};

describe('a folder of Markdown without docs.json', () => {
  test('written for VitePress has its menu, its blocks, its files, and one title for each page', async () => {
    write({
      '.vitepress/config.ts':
        "export default { title: 'Acme', themeConfig: { sidebar: [{ text: 'Guide', items: [{ text: 'Start', link: '/start' }] }] } }",
      'start.md':
        '---\ntitle: Start | Guide\n---\n\n# Start\n\n::: tip Read {this}\n**Text** {{ x }}\n:::\n\n![Logo](/logo.svg)\n',
      'index.md':
        '---\nlayout: home\nhero: { name: Acme, text: "Docs {of} Acme", actions: [{ text: Begin, link: /start }] }\nfeatures: [{ title: Fast, details: "**Very** fast", link: /start }]\n---\n',
      'left-out.md': '# Left out\n',
      'public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    const { build, contentOf } = await built();
    expect(build.config.name).toBe('Acme');
    expect(build.navigation.roots).toMatchObject([{ label: 'Guide' }]);
    const { html, markdown } = contentOf('start');
    expect(build.pages.find(({ path }) => path === 'start')?.title).toBe('Start');
    expect(html).toContain('data-kind="tip"');
    expect(html).toContain('<strong>Text</strong> {{ x }}');
    expect(html).not.toContain('<h1');
    expect(markdown).not.toContain(':::');
    expect(build.pages.find(({ path }) => path === 'index')?.title).toBe('Acme');
    expect(contentOf('index').markdown).toMatch(
      /\n\nDocs \{of\} Acme\n\n\[Begin\]\(\/start\)\n\n- \[Fast\]\(\/start\): \*\*Very\*\* fast\n/,
    );
    expect(Object.keys(build.files)).toEqual(['public/logo.svg']);
    expect(build.report.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  test('is a site whose menu follows the folders, with titles from the headings, and the report says so once', async () => {
    write(plain);
    const { build } = await built();
    expect(build.config.name).toBe('Acme');
    expect(build.pages.map(({ path, title }) => `${path}: ${title}`)).toEqual([
      'README: Acme',
      'guides/b: Second page',
      'guides/9-before: Before',
      'guides/10-last: Last',
      'guides/untitled: Untitled',
    ]);
    expect(build.navigation.roots).toMatchObject([{ label: 'Get started' }, { label: 'Guides' }]);
    expect(build.report.diagnostics).toMatchObject([
      { severity: 'info', code: 'no-settings', remedy: expect.stringContaining('docent init') },
    ]);
    expect(Object.keys(build.files)).toEqual([]);
  });

  test('is the same site in docent dev, until there is a docs.json', async () => {
    write(plain);
    const site = await DevSite.open(root);
    expect(site.build?.pages.map(({ title }) => title)).toEqual([
      'Acme',
      'Second page',
      'Before',
      'Last',
      'Untitled',
    ]);
    write({ 'guides/new.md': '# New\n' });
    await site.change(new Set(['guides/new.md']));
    expect(site.build?.pages.map(({ title }) => title)).toContain('New');
    write({
      'docs.json': JSON.stringify({
        theme: 'mint',
        name: 'Own',
        colors: { primary: '#0f766e' },
        navigation: { pages: ['guides/b'] },
      }),
    });
    await site.change(new Set(['docs.json']));
    expect(site.build?.config.name).toBe('Own');
    expect(site.diagnostics().map(({ code }) => code)).not.toContain('no-settings');
  });

  test('is refused if it has no Markdown, or if its subfolder has a docs.json', async () => {
    write({ 'logo.png': 'x' });
    await expect(built()).rejects.toThrow('There is no docs.json');
    write({ 'README.md': '# Repository\n', 'docs/docs.json': '{}' });
    await expect(built()).rejects.toThrow('There is no docs.json');
  });
});

describe('the heading that gives a page its title', () => {
  const settings = JSON.stringify({
    theme: 'mint',
    name: 'S',
    colors: { primary: '#0f766e' },
    navigation: { pages: ['index', 'custom'] },
  });

  test('is shown once: in the text, the contents, the Markdown and the search', async () => {
    write({
      'docs.json': settings,
      'index.mdx':
        'import A from "/snippets/a.mdx"\n\n# The *title*\n\nSee [above](#the-title).\n\n## Part\n\nText.\n',
      'snippets/a.mdx': 'A part.\n',
      'custom.mdx': '---\nmode: custom\n---\n\n# Shown\n',
    });
    const { build, contentOf, index } = await built();
    expect(build.pages[0]?.title).toBe('The title');
    const { html, toc, markdown } = contentOf('index');
    expect(html).not.toContain('<h1');
    expect(toc.map(({ text }) => text)).toEqual(['Part']);
    expect(markdown.match(/The title/g)).toHaveLength(1);
    expect(
      loadSearchIndex(index)
        .sectionsOf('index')
        .map(({ headings }) => headings),
    ).toEqual([[], ['Part']]);
    expect(build.report.diagnostics.map(({ code, message }) => [code, message])).toEqual([]);
    // A page without a title bar keeps its heading.
    expect(contentOf('custom').html).toMatch(/<h1 [^>]*>Shown/);
  });
});
