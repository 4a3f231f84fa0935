import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as wholeText } from 'node:stream/consumers';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { BundleManifest } from '@docent/format/exports/bundle-manifest.ts';
import { defaultExportOptions, type ExportOptions } from '@docent/format/exports/export-options.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ThemeFile } from '../assets/dist-files.ts';
import { buildSite } from '../build-site.ts';
import { chunksOf } from '../files/bundle-file.ts';
import { describeFile } from '../files/file-sink.ts';
import { searchHead, wholeCut } from '../site/search-scripts.ts';
import { type BundleInput, bundleFiles } from './bundle-files.ts';

const themeFile = (name: string, feature?: string): ThemeFile => {
  const bytes = Buffer.from(`the file ${name}`);
  return {
    ...describeFile(bytes, 'text/javascript'),
    name,
    identity: bytes,
    br: bytes,
    gzip: bytes,
    feature,
  };
};
const theme = new Map([
  ['site.js', themeFile('site-1.js')],
  ['answers.js', themeFile('answers-1.js', 'docent-assistant')],
  ['foreign-words.js', themeFile('foreign-words-1.js', 'docent-assistant')],
  ['assistant.js', themeFile('assistant-1.js', 'docent-assistant')],
  ['assistant-de.js', themeFile('assistant-de-1.js', 'docent-assistant')],
  ['assistant-fr.js', themeFile('assistant-fr-1.js', 'docent-assistant')],
  ['search-de.js', themeFile('search-de-1.js', 'docent-search-texts')],
  ['search-fr.js', themeFile('search-fr-1.js', 'docent-search-texts')],
  ['widget.js', themeFile('widget-1.js', 'docent-assistant')],
]);
const source: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#4f46e5' },
    navigation: {
      versions: [
        { version: 'v1', pages: ['index', 'v1/start'] },
        { version: 'v2', pages: ['v2/start', 'v2/broken'] },
      ],
    },
    redirects: [
      { source: '/old', destination: '/v2/start' },
      { source: '/older', destination: '/v2' },
    ],
  }),
  'index.mdx':
    '# Hello\n\n[Go](/v2/start#x) and [old](/old), [older](/older), [two](/v2#x). ![far](https://far.test/a.png)\n',
  'v1/start.mdx': '---\ntitle: One\n---\n\n## X\n\nText.\n',
  'v2/start.mdx': '---\ntitle: Two\n---\n\n## X\n\nText.\n',
  'v2/broken.mdx': '---\ntitle: Broken\n---\n\n<Card>{\n',
};

const folders: string[] = [];
let build: SiteBuild;
const stored = new Map<string, Uint8Array>();

async function buildHere(site = source): Promise<SiteBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bundle-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(site)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const sink = {
    add: async (bytes: Uint8Array, type: string) => {
      const file = describeFile(bytes, type);
      stored.set(file.sha256, bytes);
      return file;
    },
  };
  return buildSite(folder, sink, { threads: 1 });
}

beforeAll(async () => {
  build = await buildHere();
}, 180_000);
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function bundle(options: Partial<ExportOptions> = {}, more: Partial<BundleInput> = {}) {
  const files = new Map<string, string>();
  const input: BundleInput = {
    build,
    readFile: async (file: FileEntry) => stored.get(file.sha256) as Uint8Array,
    theme,
    origin: 'https://docs.acme.test',
    options: { ...defaultExportOptions, ...options },
    createdAt: new Date('2026-11-21T10:00:00Z'),
    ...more,
  };
  for await (const file of bundleFiles(input)) {
    expect(files.has(file.path), file.path).toBe(false);
    files.set(file.path, await wholeText(chunksOf(file)));
  }
  const manifest = JSON.parse(files.get('manifest.json') ?? '') as BundleManifest;
  return { files, manifest, text: (path: string) => files.get(path) ?? '' };
}

describe('the files of a bundle', () => {
  it('are identical for the same content and options', async () => {
    const [first, second] = [await bundle(), await bundle({}, { build: await buildHere() })];
    expect([...second.files]).toEqual([...first.files]);
  }, 180_000);

  it('are listed in the manifest, whose version depends on the content and the options', async () => {
    const { files, manifest } = await bundle();
    const others = [...files].filter(([path]) => path !== 'manifest.json');
    const described = others.map(([path, text]) => {
      const { sizeBytes, sha256 } = describeFile(Buffer.from(text), '');
      return { path, sizeBytes, sha256 };
    });
    expect(manifest.files).toEqual(described);
    expect(manifest).toMatchObject({
      schemaVersion: 1,
      createdAt: '2026-11-21T10:00:00.000Z',
      origin: 'https://docs.acme.test',
    });
    expect(manifest.options).toEqual({ omittedLinks: 'live', basePath: '' });
    const versions = new Set([
      manifest.exportVersion,
      (await bundle({ basePath: '/docs' })).manifest.exportVersion,
      (await bundle({ omittedLinks: 'text' })).manifest.exportVersion,
      (await bundle({}, { origin: 'https://other.test' })).manifest.exportVersion,
    ]);
    expect(versions.size).toBe(4);
    expect((await bundle({ paths: ['v1/start', 'index'] })).manifest.exportVersion).toBe(
      (await bundle({ paths: ['index', 'v1/start', 'index'] })).manifest.exportVersion,
    );
  });

  it('include the rules of the search, without pages that are not in the bundle', async () => {
    const searchRules = {
      synonyms: [['x', 'letter']],
      pageRules: [
        { question: 'x', pin: ['v1/start', 'v2/start'], block: [] },
        { question: 'two', pin: [], block: ['v2/start'] },
      ],
    };
    const { files, text } = await bundle({ paths: ['v1/start', 'index'] }, { searchRules });
    const [path = ''] = [...files.keys()].filter((name) => name.includes('search-rules'));
    expect(text(path)).toBe(
      '__docentSearchRules({"synonyms":[["x","letter"]],"pageRules":[{"question":"x","pin":["v1/start"],"block":[]}]});\n',
    );
    expect(text('v1/start.html')).toContain(`"rules":"../${path}"`);
    const without = await bundle({}, { searchRules: { synonyms: [], pageRules: [] } });
    expect([...without.files.keys()].join()).not.toContain('search-rules');
    expect(without.text('v1/start.html')).not.toContain('search-rules');
  });

  it('have one file per path: a manifest.json of the site is left out with a note, and a feed of its own replaces the made one', async () => {
    const changelog =
      '---\ntitle: Changelog\nrss: true\n---\n\n<Update label="May">Fixes</Update>\n\n[App](/manifest.json)\n';
    const navigation = { pages: ['index', 'changelog'] };
    const own = await buildHere({
      'docs.json': JSON.stringify({
        theme: 'mint',
        name: 'Acme',
        colors: { primary: '#4f46e5' },
        navigation,
      }),
      'index.mdx': '# Hello\n',
      'changelog.mdx': changelog,
      'changelog/rss.xml': '<rss>own</rss>',
      'manifest.json': '{"name":"App"}',
    });
    const { manifest, text } = await bundle({}, { build: own });
    expect(manifest.report.notes).toEqual([expect.stringContaining("site's own manifest.json")]);
    expect(manifest.files.map(({ path }) => path)).not.toContain('manifest.json');
    expect(text('changelog/rss.xml')).toBe('<rss>own</rss>');
    expect(text('changelog.html')).not.toContain('href="manifest.json"');
  }, 180_000);

  it('have the stored scripts of the search index if they include the whole site, and split the index only otherwise', async () => {
    const path = `_docent/${searchHead(wholeCut(build))}`;
    const storedSearchFiles = async function* () {
      yield { path, bytes: Buffer.from('stored') };
    };
    const read: FileEntry[] = [];
    const readFile = async (file: FileEntry) => {
      read.push(file);
      return stored.get(file.sha256) as Uint8Array;
    };
    const whole = await bundle({}, { storedSearchFiles, readFile });
    expect(whole.text(path)).toBe('stored');
    expect(read).not.toContain(build.searchIndex);
    const part = await bundle({ version: 'v1' }, { storedSearchFiles, readFile });
    expect(part.files.has(path)).toBe(false);
    expect(read).toContain(build.searchIndex);
  });

  it('are in an order that compresses well: all pages, then the text of each, straight before the scripts of the search with it', async () => {
    const scripts = ['[[["v1/start",', '[[["v2/broken",', '"words'].map((start, number) => ({
      path: `_docent/search-index-0a1b2c3d-${number}.js`,
      bytes: Buffer.from(`__docentSearchShard(${number},${start}`),
    }));
    const storedSearchFiles = async function* () {
      yield { path: '_docent/search-index-0a1b2c3d.js', bytes: Buffer.from('head') };
      for (const number of [2, 0, 1]) yield scripts[number] as (typeof scripts)[number];
    };
    const { files } = await bundle({}, { storedSearchFiles });
    const paths = [...files.keys()];
    const [words, first, second] = paths.filter((path) => /search-index-\w+-\d/.test(path));
    const pages = build.pages.map(({ href }) => (href === '/' ? 'index' : href.slice(1)));
    expect(paths.slice(0, pages.length)).toEqual(pages.map((page) => `${page}.html`));
    const texts = [words, 'index.md', 'v1/start.md', first, 'v2/start.md', 'v2/broken.md', second];
    expect(paths.filter((path) => texts.includes(path))).toEqual(texts);
  });

  it('include only the requested version, with links to others pointing to the live site or as plain text', async () => {
    const live = await bundle({ version: 'v1' });
    expect(live.manifest.pages.map(({ file }) => file)).toEqual(['index.html', 'v1/start.html']);
    expect(live.text('index.html')).toContain('href="https://docs.acme.test/v2/start#x"');
    expect(live.text('sitemap.xml')).not.toContain('/v2/');
    expect(live.text('llms-full.txt')).not.toContain('Two');
    const text = await bundle({ version: 'v1', omittedLinks: 'text' });
    expect(text.text('index.html')).toContain('<a>Go</a>');
    expect(text.files.has('old.html')).toBe(false);
    for (const [path, html] of text.files)
      if (path.endsWith('.html')) expect(html, path).not.toContain('about:omitted');
  });

  it('redirect the root to a page if it has no page', async () => {
    const { text } = await bundle({ version: 'v2' });
    expect(text('index.html')).toContain('url=v2/start.html');
  });

  it('load nothing from other origins and resolve the redirects of the site', async () => {
    const { text } = await bundle();
    expect(text('index.html')).toContain('<a class="d-outside" href="https://far.test/a.png"');
    expect(text('index.html')).toContain('<a href="./v2/start.html">old</a>');
    for (const link of [
      '<a href="./v2/start.html">older</a>',
      '<a href="./v2/start.html#x">two</a>',
    ])
      expect(text('index.html')).toContain(link);
    for (const file of ['old.html', 'older.html', 'v2.html'])
      expect(text(file)).toContain('url=./v2/start.html');
  });

  it('use the base path in redirects and the 404 page', async () => {
    const { text } = await bundle({ basePath: '/docs' });
    // Folder redirects exist only as pages, because there can be many.
    expect(text('_redirects')).toBe('/docs/old /docs/v2/start 308\n/docs/older /docs/v2 308\n');
    expect(text('.htaccess')).toContain('ErrorDocument 404 /docs/404.html');
    expect(text('_hosting/nginx.conf')).toContain('error_page 404 /docs/404.html;');
    expect(text('404.html')).toContain('"/docs/"');
  });

  it('include the texts of the assistant and of the search only in the languages of the pages', async () => {
    const textsOf = ({ files }: { files: ReadonlyMap<string, string> }) =>
      [...files.keys()].filter((path) => /(?:assistant|search)-\w\w-1/.test(path));
    expect(textsOf(await bundle())).toEqual([]);
    const languages = ['en', 'de'].map((language) => ({
      language,
      pages: [language === 'en' ? 'index' : 'de/index'],
    }));
    const config = {
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#4f46e5' },
      navigation: { languages },
    };
    const both = await buildHere({
      'docs.json': JSON.stringify(config),
      'index.mdx': 'Hello',
      'de/index.mdx': 'Hallo',
    });
    expect(textsOf(await bundle({}, { build: both }))).toEqual([
      '_docent/assistant-de-1.js',
      '_docent/search-de-1.js',
    ]);
  });

  it('ask their server for the assistant and for analytics, unless the export names their URLs', async () => {
    const without = await bundle();
    expect(without.text('index.html')).toContain('assistant-entry');
    expect(without.text('index.html')).not.toContain('data-service="assistant"');
    expect(without.files.has('_docent/answers-1.js')).toBe(true);
    expect(without.files.has('_docent/foreign-words-1.js')).toBe(true);
    expect(without.text('index.html')).toContain(
      '"services":{"list":"./_docent/services.json","names":["assistant","analytics"]}',
    );
    expect(without.text('_docent/services.json')).toBe('{"services":[]}\n');
    const live = {
      assistantUrl: 'https://docs.acme.test/_docent/assistant',
      analyticsUrl: '/_docent/events',
    };
    const { files, text } = await bundle(live);
    expect(files.has('_docent/assistant-1.js')).toBe(true);
    expect(files.has('_docent/widget-1.js')).toBe(false);
    expect(text('v1/start.html')).toContain('assistant-entry');
    expect(text('v1/start.html')).not.toContain('data-service');
    expect(text('v1/start.html')).toContain('"api":"https://docs.acme.test/_docent/assistant"');
    expect(text('v1/start.html')).toContain('"analytics":"../_docent/events"');
  });
});

describe('a list of pages that is too long for every page', () => {
  const groupsOf = (count: number) =>
    Array.from({ length: count }, (_, group) => ({
      group: `Group ${group}`,
      pages: Array.from({ length: 8 }, (_, page) => `group-${group}/deep/page-${page}`),
    }));
  const siteOf = (count: number) => {
    const groups = groupsOf(count);
    const pages = groups.flatMap((group) =>
      group.pages.map((path) => [`${path}.mdx`, `---\ntitle: At ${path}\n---\n`]),
    );
    return buildHere({
      ...source,
      'docs.json': JSON.stringify({ name: 'Acme', navigation: { groups } }),
      ...Object.fromEntries(pages),
    });
  };
  const menuOf = (files: ReadonlyMap<string, string>) =>
    [...files].filter(([path]) => path.startsWith('_docent/menu-'));

  it('is in one file, and the size of a page does not grow with the number of pages', async () => {
    const [small, large] = [
      await bundle({}, { build: await siteOf(24) }),
      await bundle({}, { build: await siteOf(72) }),
    ];
    const size = ({ text }: typeof small) => text('group-12/deep/page-3.html').length;
    expect(Math.abs(size(large) - size(small))).toBeLessThan(500);
    const [[path, menu] = ['', ''], ...others] = menuOf(large.files);
    expect(others).toEqual([]);
    expect(new Set(menu.match(/group-\d+\/deep\/page-\d+\.html/g)).size).toBe(72 * 8);
    // Every page names it, from the root of the bundle: `404.html` too.
    for (const page of ['group-3/deep/page-1.html', 'group-71/deep/page-7.html', '404.html']) {
      expect(large.text(page)).toContain(`data-menu="${path.replace('_docent/', '')}"`);
    }
    expect(large.text('group-3/deep/page-1.html')).toContain(
      '<a href="../../group-3/deep/page-7.html">At group-3',
    );
    expect(large.text('group-3/deep/page-1.html')).not.toContain('page-5.html">At group-4');
  }, 180_000);

  it('has no links to pages that the bundle leaves out as plain text', async () => {
    const paths = ['group-0/deep/page-0', 'group-1/deep/page-0'];
    const { files } = await bundle({ paths, omittedLinks: 'text' }, { build: await siteOf(24) });
    expect(menuOf(files).map(([, text]) => text.match(/ href=/g)?.length)).toEqual([4]);
  }, 180_000);
});

describe('a failed page', () => {
  const reported = async (more: Partial<BundleInput>) => {
    let report: ExportReport | undefined;
    const result = await bundle({}, { ...more, onReport: (one) => (report = one) });
    expect(result.manifest.report).toEqual(report);
    return { ...result, failed: report?.failedPages };
  };

  it('of the build is named in the report, with the reason', async () => {
    const { failed, manifest } = await reported({});
    expect(failed).toEqual([
      {
        path: 'v2/broken',
        file: 'v2/broken.html',
        reason: expect.stringContaining('v2/broken.mdx'),
      },
    ]);
    expect(manifest.report.errors.every(({ severity }) => severity === 'error')).toBe(true);
  });

  it('during packing is replaced with a notice, and other pages remain unchanged', async () => {
    const wrong = build.pages.find((page) => page.path === 'v1/start')?.content.sha256;
    const readFile = async (file: FileEntry) =>
      file.sha256 === wrong ? Buffer.from('{"html":') : (stored.get(file.sha256) as Uint8Array);
    const { failed, text } = await reported({ readFile });
    expect(failed?.map(({ path }) => path)).toEqual(['v1/start', 'v2/broken']);
    expect(text('v1/start.html')).toContain('could not be exported');
    expect(text('v1/start.html')).toContain('https://docs.acme.test/v1/start');
    expect(text('index.html')).toBe((await bundle()).text('index.html'));
  });

  it('is distinct from a failed store, which ends the export', async () => {
    const readFile = async () => Promise.reject(new Error('the store is away'));
    await expect(bundle({}, { readFile })).rejects.toThrow('the store is away');
  });
});
