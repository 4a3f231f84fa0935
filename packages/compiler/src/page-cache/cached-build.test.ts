import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildSite } from '../build-site.ts';
import { describeFile } from '../files/file-sink.ts';
import { openPagePack, type PagePack } from '../pages/page-pack.ts';

vi.setConfig({ testTimeout: 180_000 });

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`;
const config = {
  theme: 'mint',
  name: 'Acme',
  colors: { primary: '#0f766e' },
  variables: { product: 'Rocket' },
  icons: { library: 'lucide' },
  styling: { codeblocks: { languages: { custom: ['/grammars/acme.json'] } } },
  redirects: [{ source: '/old', destination: '/plain' }],
  api: { openapi: 'openapi.json' },
  navigation: {
    pages: [
      'plain',
      'snippet',
      'variable',
      'link',
      'icon',
      'code',
      'island',
      'operation',
      'leaving',
    ],
  },
};
const openapi = (summary: string) => ({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: { '/rockets': { get: { summary, responses: { 200: { description: 'Fine' } } } } },
});
const grammar = (scope: string) => ({
  name: 'acme',
  scopeName: 'source.acme',
  patterns: [{ match: '\\blaunch\\b', name: scope }],
});
const island = (text: string) => `export const Counter = () => {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>${text} {count}</button>;
};\n`;

const files: Record<string, string> = {
  'docs.json': JSON.stringify(config),
  'plain.mdx': page('Plain', 'Nothing special.'),
  'snippet.mdx': page('Snippet', "import Outer from '/snippets/outer.mdx'\n\n<Outer />"),
  'variable.mdx': page('Variable', 'Fly with {{product}}.'),
  'link.mdx': page('Link', '[there](/leaving) and [moved](/old) and ![a picture](/dot.svg)'),
  'icon.mdx': page('Icon', '<Icon icon="house" />'),
  'code.mdx': page('Code', '```acme\nlaunch now\n```\n\n```js\nconst a = 1;\n```'),
  'island.mdx': page('Island', "import { Counter } from '/snippets/counter.jsx'\n\n<Counter />"),
  'operation.mdx': '---\ntitle: Operation\nopenapi: openapi.json GET /rockets\n---\n',
  'leaving.mdx': page('Leaving', 'Soon gone.'),
  'snippets/outer.mdx': "import Inner from '/snippets/inner.mdx'\n\nOuter text. <Inner />\n",
  'snippets/inner.mdx': 'Inner text.\n',
  'snippets/counter.jsx': island('Pressed'),
  'grammars/acme.json': JSON.stringify(grammar('keyword.control')),
  'openapi.json': JSON.stringify(openapi('List the rockets')),
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
const changedConfig = (change: object) => ({
  'docs.json': JSON.stringify({ ...config, ...change }),
});

/** Every page depends on these: a change invalidates all pages. */
const all = config.navigation.pages;

/**
 * Changes of the source, and the pages that are compiled again for them. Changes in one entry
 * concern different pages, so that none of them can hide another.
 */
const changes: [string, Record<string, string | undefined>, string[]][] = [
  ['no file', {}, []],
  [
    'a text, a nested snippet, an API description, an author component, and a removed link target',
    {
      'plain.mdx': page('Plain', 'Another text.'),
      'snippets/inner.mdx': 'New inner text.\n',
      'openapi.json': JSON.stringify(openapi('All rockets')),
      'snippets/counter.jsx': island('Clicked'),
      'leaving.mdx': undefined,
    },
    ['plain', 'snippet', 'operation', 'island', 'link'],
  ],
  [
    'a snippet, the title of a page, and a removed image',
    {
      'snippets/outer.mdx': "import Inner from '/snippets/inner.mdx'\n\nNew text. <Inner />\n",
      'plain.mdx': page('Renamed', 'Nothing special.'),
      'dot.svg': undefined,
    },
    ['snippet', 'plain', 'link'],
  ],
  [
    'a redirect and the icon library',
    changedConfig({ redirects: [], icons: { library: 'tabler' } }),
    ['link', 'icon'],
  ],
  ['a variable', changedConfig({ variables: { product: 'Balloon' } }), all],
  [
    'a grammar of the author',
    { 'grammars/acme.json': JSON.stringify(grammar('string.quoted')) },
    all,
  ],
  ['the day of the content', { '.docent-git.json': '{"day":"2025-01-02"}' }, ['island']],
  ['the code theme', changedConfig({ styling: { codeblocks: { theme: 'github-dark' } } }), all],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-cache-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(changed: Record<string, string | undefined>): Promise<void> {
  for (const [path, text] of Object.entries(changed)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await (text === undefined ? rm(target) : writeFile(target, text));
  }
}

/** A build as text: its manifest, its report without the time that it took, and every file. */
async function build(pack: PagePack | undefined) {
  const stored = new Map<string, string>();
  const add = async (bytes: Uint8Array, type: string) => {
    const file = describeFile(bytes, type);
    stored.set(file.sha256, Buffer.from(bytes).toString('base64'));
    return file;
  };
  const compiled: string[] = [];
  const cache = pack && {
    ...pack,
    find: pack.find,
    keep: (path: string, result: Parameters<PagePack['keep']>[1]) => {
      compiled.push(path);
      pack.keep(path, result);
    },
  };
  const built: SiteBuild = await buildSite(
    folder,
    { add },
    { threads: 1, ...(cache ? { cache } : {}) },
  );
  const output = JSON.stringify([
    { ...built, report: { ...built.report, durationMs: 0 } },
    [...stored].sort(),
  ]);
  return { output, compiled };
}

describe('a build with cached pages', () => {
  let kept: string;
  const newPack = async () => join(await mkdtemp(join(tmpdir(), 'docent-pack-')), 'pack');
  beforeAll(async () => {
    await write(files);
    kept = await newPack();
    const pack = openPagePack({ to: kept }, 'v1');
    await build(pack);
    pack.write();
  }, 180_000);

  test.each(changes)(
    'is identical to an uncached one after a change of %s, and compiles only affected pages',
    async (_, changed, pages) => {
      await write(changed);
      try {
        const warm = await build(openPagePack({ from: kept, to: await newPack() }, 'v1'));
        const cold = await build(undefined);
        expect(warm.output).toBe(cold.output);
        // No unaffected page either, or the cache would be useless.
        expect(warm.compiled.sort()).toEqual([...pages].sort());
      } finally {
        await write(Object.fromEntries(Object.keys(changed).map((path) => [path, files[path]])));
      }
    },
  );

  test('uses no page of another compiler version', async () => {
    const { compiled } = await build(openPagePack({ from: kept, to: await newPack() }, 'v2'));
    expect(compiled).toHaveLength(config.navigation.pages.length);
  });
});
