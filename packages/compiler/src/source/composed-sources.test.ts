import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { editAddress } from '@docent/format/docs-json/settings/repository.ts';
import { codeForPage, placeInRepository } from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { NavigationNode } from '@docent/format/navigation/navigation.ts';
import { afterAll, expect, test } from 'vitest';
import { buildSite } from '../build-site.ts';
import { checkFolder } from '../check-folder.ts';
import { describeFile } from '../files/file-sink.ts';
import { readStoredPage } from '../pages/stored-page.ts';
import type { SourcePart } from './folder-files.ts';
import { packSourceFolder, unpackSource } from './source-archive.ts';
import { openSourceFolder } from './source-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** @param files `docs.json` as an object is completed */
function write(files: Record<string, string | object>): string {
  const root = join(folder, String(++count));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(root, path), text);
  }
  return root;
}

const settings = (changes: object) => ({
  theme: 'mint',
  name: 'Acme',
  colors: { primary: '#123456' },
  navigation: { pages: ['index'] },
  ...changes,
});

const part = (path: string, name: string, files: Record<string, string | object>): SourcePart => ({
  path,
  name,
  folder: write(files),
});

interface Result {
  build: SiteBuild;
  /** Path of a page → its HTML. */
  html: Map<string, string>;
  problems: string[];
}

async function built(root: string, parts?: readonly SourcePart[]): Promise<Result> {
  const contents = new Map<string, Uint8Array>();
  const sink = {
    async add(bytes: Uint8Array, type: string) {
      const file = describeFile(bytes, type);
      contents.set(file.sha256, Uint8Array.from(bytes));
      return file;
    },
  };
  const build = await buildSite(root, sink, { threads: 1, parts });
  const html = new Map(
    build.pages.map(({ path, content }) => {
      const bytes = contents.get(content.sha256);
      return [path, bytes ? readStoredPage(bytes).html : ''] as const;
    }),
  );
  const problems = build.report.diagnostics.map(
    ({ severity, code, file, message }) => `${severity} ${code} ${file}: ${message}`,
  );
  return { build, html, problems };
}

function labels(nodes: readonly NavigationNode[]): unknown[] {
  return nodes.map((node) =>
    node.kind === 'page' ? node.path : [node.label, ...labels(node.children)],
  );
}

const openapi = (operation: string) => ({
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  paths: {
    '/users': {
      get: { summary: operation, responses: { 200: { $ref: './shared.json#/Ok' } } },
    },
  },
});
const responses = (description: string) => ({ Ok: { description } });

const api = () =>
  part('api', 'acme/api-docs', {
    'docs.json': settings({
      name: 'API Reference',
      theme: 'maple',
      navigation: {
        groups: [
          { group: 'Start', pages: ['index', 'guides/auth'] },
          { group: 'Endpoints', openapi: 'openapi.json', icon: '/images/plan.svg' },
        ],
      },
      variables: { product: 'API', version: 'v2' },
      redirects: [{ source: '/old', destination: '/guides/auth' }],
    }),
    '.docent-git.json': {
      remote: 'https://github.com/acme/api-docs',
      changed: { 'index.mdx': '2026-02-03' },
    },
    '.docentignore': 'drafts/\n',
    'drafts/plan.mdx': 'Not for readers.',
    'index.mdx': [
      '---\ntitle: API\nicon: /images/plan.svg\n---',
      'import Note from "/snippets/note.mdx";',
      'import Secret from "../snippets/base-note.mdx";',
      '<Note />\n\n![Plan](/images/plan.svg)',
      '[Auth](/guides/auth) [Old](/old) [Product](/guides/start) {{product}} {{version}}',
    ].join('\n\n'),
    'guides/auth.mdx': '# Auth\n\nImport: [back](../index)',
    'snippets/note.mdx': 'The note of the API.',
    'images/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 1"/></svg>',
    'openapi.json': openapi('List users of the API'),
    'shared.json': responses('Fine'),
    'style.css': 'body { color: red }',
  });

const base = (changes: object = {}) =>
  write({
    'docs.json': settings({
      navigation: { pages: ['index', 'guides/start'] },
      variables: { product: 'Acme' },
      ...changes,
    }),
    'index.mdx': '# Start\n\n[API](/api/guides/auth)',
    'guides/start.mdx': '# First steps',
    'snippets/note.mdx': 'The note of the base.',
    'snippets/base-note.mdx': 'A note that only the base has.',
    'openapi.json': openapi('List users of the base'),
    'shared.json': responses('Fine'),
  });

test('a source appears below its path as a product, and is written as if it were the whole site', async () => {
  const { build, html, problems } = await built(base(), [api()]);
  expect(build.config.theme).toBe('mint');
  expect(labels(build.navigation.roots)).toEqual([
    ['Acme', 'index', 'guides/start'],
    [
      'API Reference',
      ['Start', 'api/index', 'api/guides/auth'],
      ['Endpoints', 'api/api-reference/list-users-of-the-api'],
    ],
  ]);
  const page = html.get('api/index') ?? '';
  expect(page).toContain('The note of the API.');
  expect(page).not.toContain('A note that only the base has.');
  expect(page).toContain('\u0001A/api/images/plan.svg\u0001');
  expect(page).toContain('\u0001P/api/guides/auth\u0001');
  expect(page).toContain('\u0001P/guides/start\u0001');
  expect(page).toContain('Acme v2');
  expect(html.get('index')).toContain('\u0001P/api/guides/auth\u0001');
  expect(build.pages.find(({ path }) => path === 'api/index')).toMatchObject({
    icon: '/api/images/plan.svg',
    lastUpdated: '2026-02-03',
  });
  expect(build.pages.map(({ path }) => path)).not.toContain('api/drafts/plan');
  expect(Object.keys(build.files)).not.toContain('api/docs.json');
  expect(build.styles).toEqual(['api/style.css']);
  expect(build.config.redirects).toContainEqual(
    expect.objectContaining({ source: '/api/old', destination: '/api/guides/auth' }),
  );
  expect(problems).toEqual([
    expect.stringMatching(/^info source-conflict api\/docs.json: The variable "product"/),
    expect.stringMatching(/^warning missing-import api\/index.mdx: .*base-note/),
  ]);
});

test('links to the source of a page lead to the repository that has it', async () => {
  const { build } = await built(
    base({ feedback: { suggestEdit: true, repository: 'https://github.com/acme/docs' } }),
    [api()],
  );
  expect(placeInRepository(build.config, 'api/guides/auth.mdx')).toMatchObject({
    repository: { address: 'https://github.com/acme/api-docs' },
    file: 'guides/auth.mdx',
  });
  expect(placeInRepository(build.config, 'guides/start.mdx')).toMatchObject({
    repository: { address: 'https://github.com/acme/docs' },
    file: 'guides/start.mdx',
  });
});

test('a page in a submodule links to the repository of the submodule, or to none, and has no day', async () => {
  const files = {
    'docs.json': settings({ navigation: { pages: ['index', 'shared/note', 'odd/note'] } }),
    '.docent-git.json': {
      remote: 'https://git.acme.example/acme/docs',
      forge: 'gitlab',
      folder: 'docs',
      branch: 'main',
      changed: { 'index.mdx': '2026-02-03', shared: '2026-02-04' },
      submodules: { shared: 'https://git.acme.example/acme/shared', odd: '' },
    },
    'index.mdx': '# Start',
    'shared/note.mdx': '# Note',
    'odd/note.mdx': '# Odd',
  };
  const { build } = await built(write(files));
  const edit = (file: string) => {
    const place = placeInRepository(build.config, file);
    return place.repository && editAddress(place.repository, place.file);
  };
  expect(['index.mdx', 'shared/note.mdx', 'odd/note.mdx'].map(edit)).toEqual([
    'https://git.acme.example/acme/docs/-/edit/main/docs/index.mdx',
    'https://git.acme.example/acme/shared/-/edit/HEAD/note.mdx',
    undefined,
  ]);
  expect(build.pages.map(({ lastUpdated }) => lastUpdated)).toEqual([
    '2026-02-03',
    undefined,
    undefined,
  ]);
});

test('an uploaded archive of several folders gives the same site as the folders', async () => {
  const root = base();
  const parts = [api()];
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const again = await unpackSource(packSourceFolder(root, undefined, parts), unpacked);
  expect((await built(again)).build.id).toBe((await built(root, parts)).build.id);
});

test('sourceRef places the navigation of a source in a list of the base', async () => {
  const anchors = (name: string, pages: string[]) => ({ anchors: [{ anchor: name, pages }] });
  const root = base({
    navigation: {
      anchors: [{ anchor: 'Guides', pages: ['index'] }, { sourceRef: 'acme/sdk' }],
    },
  });
  const sdk = part('sdk', 'acme/sdk', {
    'docs.json': settings({ name: 'SDK', navigation: anchors('Reference', ['index']) }),
    'index.mdx': '# SDK',
  });
  expect(labels((await built(root, [sdk])).build.navigation.roots)).toEqual([
    ['Guides', 'index'],
    ['Reference', 'sdk/index'],
  ]);
});

test('a sourceRef that cannot be followed is an error at its place, and the source a product', async () => {
  const root = base({
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index'] },
        { sourceRef: 'acme/api-docs' },
        { sourceRef: 'acme/none' },
      ],
    },
  });
  const { build, problems } = await built(root, [api()]);
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^error unknown-source docs.json: .*"tabs".*does not have/),
      expect.stringMatching(/^error unknown-source docs.json: .*acme\/none.*no further source/),
    ]),
  );
  expect(build.navigation.roots.map((node) => 'label' in node && node.label)).toEqual([
    'Acme',
    'API Reference',
  ]);
});

test('two sources that refer to each other are an error, not an endless build', async () => {
  const refer = (path: string, other: string) =>
    part(path, `acme/${path}`, {
      'docs.json': settings({
        navigation: { tabs: [{ tab: path, pages: ['index'] }, { sourceRef: `acme/${other}` }] },
      }),
      'index.mdx': '# Page',
    });
  const { problems } = await built(base(), [refer('one', 'two'), refer('two', 'one')]);
  expect(problems.join('\n')).toContain('forms a cycle');
});

test('files of the base below the path of a source are left out, and named', async () => {
  const root = base();
  mkdirSync(join(root, 'api'));
  writeFileSync(join(root, 'api/index.mdx'), '# Of the base');
  const { html, problems } = await built(root, [api()]);
  expect(html.get('api/index')).toContain('The note of the API.');
  expect(problems).toContainEqual(
    expect.stringMatching(/^warning source-conflict api\/index.mdx: .*acme\/api-docs/),
  );
});

test('two sources with other values of a variable are a warning that names both files', async () => {
  const other = part('cli', 'acme/cli', {
    'docs.json': settings({ name: 'CLI', variables: { version: 'v9' } }),
    'index.mdx': '# CLI\n\n{{version}}',
  });
  const { html, problems } = await built(base(), [api(), other]);
  expect(html.get('cli/index')).toContain('v2');
  expect(problems).toContainEqual(
    expect.stringMatching(/^warning source-conflict cli\/docs.json: .*"version".*api\/docs.json/),
  );
});

test('a broken docs.json of a source is named with its path and line', async () => {
  const broken = part('api', 'acme/api', { 'docs.json': '{\n  "name": \n}', 'index.mdx': 'A' });
  await expect(built(base(), [broken])).rejects.toThrow(/api\/docs.json is not valid JSON. Line 3/);
  const without = part('api', 'acme/api', { 'index.mdx': 'A' });
  await expect(built(base(), [without])).rejects.toThrow(DocentError);
});

test('no source reads a file of another, by a link, a reference or a description', async () => {
  const root = base();
  writeFileSync(join(root, 'secret.json'), '{"Ok":{"description":"Of the base"}}');
  const source = part('api', 'acme/api', {
    'docs.json': settings({
      name: 'API',
      banner: { $ref: '../secret.json' },
      navigation: { pages: ['index'], openapi: { source: 'openapi.json', directory: 'ref' } },
    }),
    'index.mdx': '# API',
    'openapi.json': {
      ...openapi('List'),
      paths: { '/a': { get: { responses: { 200: { $ref: '../secret.json#/Ok' } } } } },
    },
  });
  symlinkSync(join(root, 'secret.json'), join(source.folder, 'link.json'));
  const tree = openSourceFolder(root, undefined, [source]);
  expect(tree.has('api/link.json')).toBe(false);
  const { html, problems } = await built(root, [source]);
  expect([...html.values()].join('')).not.toContain('Of the base');
  expect(problems.join('\n')).toContain('leads outside the documentation folder');
});

test('a base source below a path has its pages, its files and its addresses there', async () => {
  const root = base({
    logo: '/logo.svg',
    navbar: { links: [{ label: 'First', href: '/guides/start' }] },
    navigation: {
      groups: [
        { group: 'Start', pages: ['index', 'guides/start'] },
        { group: 'Calls', openapi: 'openapi.json' },
      ],
    },
    redirects: [{ source: '/old', destination: '/guides/start' }],
  });
  const icon = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M2 2"/></svg>';
  writeFileSync(join(root, 'logo.svg'), icon);
  writeFileSync(join(root, 'robots.txt'), 'User-agent: *');
  mkdirSync(join(root, '.docent'));
  writeFileSync(join(root, '.docent/assistant.md'), 'Answer briefly.');
  const placed = { path: 'docs', name: 'acme/docs', folder: root, isBase: true };
  const parts = [placed, api()];
  const { build, html, problems } = await built(root, parts);
  expect(labels(build.navigation.roots)).toEqual([
    [
      'Acme',
      ['Start', 'docs/index', 'docs/guides/start'],
      ['Calls', 'docs/api-reference/list-users-of-the-base'],
    ],
    [
      'API Reference',
      ['Start', 'api/index', 'api/guides/auth'],
      ['Endpoints', 'api/api-reference/list-users-of-the-api'],
    ],
  ]);
  expect(build.config.logo).toMatchObject({ light: '/docs/logo.svg' });
  expect(build.config.navbar.links).toMatchObject([{ href: '/docs/guides/start' }]);
  expect(build.config.redirects).toContainEqual(
    expect.objectContaining({ source: '/docs/old', destination: '/docs/guides/start' }),
  );
  expect(build.config.redirects).toContainEqual(expect.objectContaining({ source: '/api/old' }));
  expect(build.assistantInstructions).toBe('Answer briefly.');
  expect(Object.keys(build.files)).toEqual(expect.arrayContaining(['robots.txt', 'docs/logo.svg']));
  expect(Object.keys(build.files)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/(?:docs|mint)\.json$/)]),
  );
  expect(html.get('docs/index')).toContain('\u0001P/api/guides/auth\u0001');
  expect(problems).toEqual([
    expect.stringMatching(/^info source-conflict api\/docs.json: The variable "product"/),
    expect.stringMatching(/^warning missing-import api\/index.mdx: .*base-note/),
    // It is at /docs/guides/start now.
    expect.stringMatching(/^warning broken-link api\/index.mdx: .*"\/guides\/start"/),
  ]);
  const unpacked = join(folder, 'unpacked-below');
  mkdirSync(unpacked);
  const again = await unpackSource(packSourceFolder(root, undefined, parts), unpacked);
  expect((await built(again)).build.id).toBe(build.id);
});

test('pages load the styles and scripts of the base and of their own source', async () => {
  const root = base();
  writeFileSync(join(root, 'base.css'), 'body { margin: 0 }');
  const own = 'a { background: url(/images/plan.svg) }';
  const files = {
    'docs.json': settings({ name: 'SDK' }),
    'index.mdx': '# SDK',
    'run.js': 'run();',
  };
  const source = api();
  writeFileSync(join(source.folder, 'style.css'), own);
  const { build } = await built(root, [source, part('sdk', 'acme/sdk', files)]);
  const { sources } = build.config;
  const loaded = (page: string) => codeForPage([...build.styles, ...build.scripts], sources, page);
  expect(loaded('index')).toEqual(['base.css']);
  expect(loaded('api/guides/auth')).toEqual(['api/style.css', 'base.css']);
  expect(loaded('sdk')).toEqual(['base.css', 'sdk/run.js']);
});

test('API pages of a source show the servers and the authentication that its docs.json names', async () => {
  const root = base({ api: { mdx: { server: 'https://base.example' } } });
  writeFileSync(join(root, 'call.mdx'), '---\ntitle: Call\napi: GET /things\n---\n');
  const source = part('api', 'acme/api', {
    'docs.json': settings({
      name: 'API',
      navigation: { pages: ['call'] },
      api: {
        mdx: { server: 'https://api.acme.example', auth: { method: 'key', name: 'X-Acme' } },
        playground: { display: 'sideways' },
      },
    }),
    'call.mdx': '---\ntitle: Call\napi: GET /things\n---\n',
  });
  const { html, problems } = await built(root, [source]);
  expect(html.get('call')).toContain('https://base.example');
  const page = html.get('api/call');
  expect(page).toContain('https://api.acme.example');
  expect(page).toContain('X-Acme');
  expect(page).not.toContain('https://base.example');
  expect(problems).toContainEqual(expect.stringMatching(/^\w+ \S+ api\/docs.json: .*display/));
});

test('what a source leaves out is not checked either, such as its README.md', async () => {
  const source = api();
  writeFileSync(join(source.folder, 'README.md'), '# API\n\n### Too deep');
  writeFileSync(join(source.folder, 'drafts/plan.mdx'), '# Plan\n\n### Too deep');
  const { findings } = await checkFolder(base(), { parts: [source] });
  expect(findings.filter(({ code }) => code === 'heading-skip')).toEqual([]);
});
