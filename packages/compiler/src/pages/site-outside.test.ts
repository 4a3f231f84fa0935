import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../build-site.ts';
import { bundleFiles } from '../bundle/bundle-files.ts';
import { describeFile } from '../files/file-sink.ts';
import type { FetchOutside, OutsideResult } from '../outside/outside.ts';
import { openPagePack, type PagePack } from './page-pack.ts';
import { readStoredPage } from './stored-page.ts';

/** Completes a pack. @returns its file */
const written = (pack: PagePack, file: string) => (pack.write() ? file : undefined);

/** A PNG with a valid header and no valid content. */
function png(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(33);
  Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1').copy(head);
  head.writeUInt32BE(13, 8);
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, deflateSync(Buffer.alloc(8))]);
}

const text = (content: string, type: string): OutsideResult => ({
  bytes: new TextEncoder().encode(content),
  type,
});

const world: Record<string, OutsideResult> = {
  'https://x.test/shot.png': { bytes: png(800, 400), type: 'image/png' },
  'https://x.test/logo.svg': text(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'image/svg+xml',
  ),
  'https://x.test/icon.svg': text('<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain'),
  'https://x.test/lies.png': text('<!doctype html><p>Not found</p>', 'image/png'),
  'https://i.ytimg.com/vi/vu_61D1VFAk/hqdefault.jpg': { bytes: png(480, 360), type: 'image/jpeg' },
  'https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871': text(
    '{"thumbnail_url":"https://x.test/film.png"}',
    'application/json',
  ),
  'https://x.test/film.png': { bytes: png(640, 360), type: 'image/png' },
  'https://fonts.googleapis.com/css2?family=Open+Sans:wght@400;700&display=swap': text(
    '@font-face{font-family:"Open Sans";src:url(https://fonts.gstatic.com/s/a.woff2) format("woff2");unicode-range:U+0-FF}',
    'text/css',
  ),
  'https://fonts.gstatic.com/s/a.woff2': text('wOF2 of a', 'font/woff2'),
  'https://fonts.bunny.net/css?family=figtree:400': text(
    '@import "more.css";@font-face{font-family:Figtree;src:url(/figtree.woff2)}.a{background:url(https://gone.test/a.png)}',
    'text/css',
  ),
  'https://fonts.bunny.net/more.css': text(
    '@import "/more.css";@import "css?family=figtree:400";.more{color:red}',
    'text/css',
  ),
  'https://fonts.bunny.net/figtree.woff2': text('wOF2 of figtree', 'font/woff2'),
  'https://api.github.com/repos/acme/tool': text('{"stargazers_count":12345}', 'application/json'),
  'https://discord.com/api/v10/invites/abc?with_counts=true': text(
    '{"approximate_presence_count":987}',
    'application/json',
  ),
};

const docsJson = {
  theme: 'mint',
  name: 'Acme',
  colors: { primary: '#336699' },
  logo: { light: 'https://x.test/logo.svg', dark: '//x.test/logo.svg' },
  favicon: 'https://x.test/gone.ico',
  fonts: { family: 'Open Sans' },
  navbar: {
    links: [
      { type: 'discord', href: 'https://discord.gg/abc' },
      { label: 'Blog', href: 'https://acme.test', icon: 'https://x.test/icon.svg' },
    ],
    primary: { type: 'github', href: 'https://github.com/acme/tool' },
  },
  navigation: { pages: ['index', 'plain'] },
};

const page = `# Start

![A shot](https://x.test/shot.png)

<img src="https://x.test/lies.png" alt="Lies" width="300" height="200" />

<iframe src="https://www.youtube.com/embed/vu_61D1VFAk" title="How it works"></iframe>
<iframe src="https://www.youtube.com/embed/gone_61D1VF" title="Gone"></iframe>

<iframe src="https://player.vimeo.com/video/76979871" title="On Vimeo"></iframe>

<div style={{ maskImage: 'url("https://mintlify.b-cdn.net/v6.6.0/regular/bolt.svg")' }}></div>
`;

const source = {
  'docs.json': JSON.stringify(docsJson),
  'index.mdx': page,
  'plain.mdx': 'No pictures.',
  'styles/site.css':
    '@import url("https://fonts.bunny.net/css?family=figtree:400") screen;\n.b{background:url(//x.test/shot.png)}.c{mask-image:url(https://d3gk2c5xim1je2.cloudfront.net/lucide/v1.16.0/house.svg)}',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-outside-'));
  for (const [path, content] of Object.entries(source)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const answer: FetchOutside = async (url) => world[url] ?? { fault: `${url} could not be reached.` };

interface Built {
  build: SiteBuild;
  stored: Map<string, Uint8Array>;
}

async function built(fetchOutside: FetchOutside | undefined, cache?: PagePack): Promise<Built> {
  const stored = new Map<string, Uint8Array>();
  const sink = {
    add: async (bytes: Uint8Array, type: string) => {
      const file = describeFile(bytes, type);
      stored.set(file.sha256, bytes);
      return file;
    },
  };
  return {
    build: await buildSite(folder, sink, { threads: 1, fetchOutside, ...(cache && { cache }) }),
    stored,
  };
}

function read({ build, stored }: Built, path: string): string {
  return new TextDecoder().decode(stored.get(build.files[path]?.sha256 ?? ''));
}

function article({ build, stored }: Built): string {
  const entry = build.pages.find((one) => one.path === 'index');
  return readStoredPage(stored.get(entry?.content.sha256 ?? '') as Uint8Array).html;
}

async function bundled({ build, stored }: Built): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const input = {
    build,
    readFile: async ({ sha256 }: { sha256: string }) => stored.get(sha256) as Uint8Array,
    theme: new Map(),
    origin: 'https://docs.acme.test',
    options: { include: [], exclude: [], basePath: '', omittedLinks: 'live' as const },
    createdAt: new Date(0),
  };
  for await (const file of bundleFiles(input as unknown as Parameters<typeof bundleFiles>[0]))
    if ('bytes' in file) files.set(file.path, new TextDecoder().decode(file.bytes));
  return files;
}

/** URLs of other servers that a browser loads without a click. */
function loadedUrls(html: string): string[] {
  const found = html.matchAll(
    /<(?!a\b|meta\b)[a-z][^>]*?\s(?:src|href|srcset|poster)="((?:https?:)?\/\/[^"]*)"|url\(["']?((?:https?:)?\/\/[^)]*)/g,
  );
  return [...found]
    .filter(([tag]) => !/rel="(?:canonical|alternate)"/.test(tag))
    .map(([, one, two]) => one ?? two ?? '');
}

describe('a site with files from other servers', () => {
  it('contains copies of the images, with their real types and sizes', async () => {
    const site = await built(answer);
    const shot =
      /<img src="\u0001A\/(_docent\/outside\/[0-9a-f]{20}\.png)\u0001" width="800" height="400" alt="A shot"/.exec(
        article(site),
      );
    expect(site.build.files[shot?.[1] ?? '']).toMatchObject({ type: 'image/png' });
    expect(site.build.config.logo?.light).toMatch(/^\/_docent\/outside\/[0-9a-f]{20}\.svg$/);
    expect(site.build.config.logo?.dark).toBe(site.build.config.logo?.light);
    expect(site.build.icons['https://x.test/icon.svg']).toMatch(
      /src="\u0001A\/_docent\/outside\/[0-9a-f]{20}\.svg/,
    );
    expect(Object.values(site.build.files).map(({ type }) => type)).not.toContain('text/html');
  });

  it('reports everything that could not be copied in one warning, except video thumbnails', async () => {
    const { build } = await built(answer);
    const found = build.report.diagnostics.filter(({ code }) => code === 'outside-file');
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toBe(
      '3 files from other servers could not be copied: https://gone.test/a.png could not be reached, https://x.test/gone.ico could not be reached, https://x.test/lies.png (not an image).',
    );
  });

  it('serves copies of the fonts in docs.json and style sheets', async () => {
    const site = await built(answer);
    const { styles, files } = site.build;
    expect(styles[0]).toMatch(/^_docent\/outside\/[0-9a-f]{20}\.css$/);
    const sans = /src:url\("([0-9a-f]{20}\.woff2)"\)/.exec(read(site, styles[0] ?? ''))?.[1];
    expect(files[`_docent/outside/${sans}`]?.type).toBe('font/woff2');
    const own = read(site, 'styles/site.css');
    const imported =
      /@import url\("\.\.\/(_docent\/outside\/[0-9a-f]{20}\.css)"\) screen;/.exec(own)?.[1] ?? '';
    expect(own).toMatch(/url\("\.\.\/_docent\/outside\/[0-9a-f]{20}\.png"\)/);
    expect(read(site, imported)).toMatch(
      /^@import "[0-9a-f]{20}\.css";@font-face\{[^}]*url\("[0-9a-f]{20}\.woff2"\)\}\.a\{background:linear-gradient\(#0000, #0000\)\}$/,
    );
  });

  it('embeds the icons of the hosted service without a network, so that masks work from disk', async () => {
    const site = await built(undefined);
    expect(article(site)).toMatch(/mask-image: url\(&quot;data:image\/svg\+xml,%3Csvg[^"]*%3Cpath/);
    expect(read(site, 'styles/site.css')).toMatch(
      /\.c\{mask-image:url\("data:image\/svg\+xml,%3Csvg/,
    );
  });

  it('shows counts that were fetched during the build', async () => {
    const { build } = await built(answer);
    expect(build.config.navbar.primary?.count).toBe(12_345);
    expect(build.config.navbar.links.map(({ count }) => count)).toEqual([987, undefined]);
    expect((await bundled(await built(answer))).get('plain.html')).toContain(
      'data-count="github">12.3k<',
    );
  });

  it('has the same build with cached pages, and with responses in another order', async () => {
    const packs = await mkdtemp(join(tmpdir(), 'docent-packs-'));
    const [from, to] = [join(packs, 'first'), join(packs, 'second')] as const;
    const first = openPagePack({ to: from }, 'v');
    const before = await built(answer, first);
    const after = await built(answer, openPagePack({ from: written(first, from), to }, 'v'));
    expect(after.build.id).toBe(before.build.id);
    let turn = 0;
    const late: FetchOutside = async (url, request) => {
      for (let pause = (turn++ * 7) % 5; pause > 0; pause--) await new Promise(setImmediate);
      return answer(url, request);
    };
    expect((await built(late)).build.id).toBe(before.build.id);
  });

  it('reports in one sentence that fetching is off', async () => {
    const { build } = await built(undefined);
    const [found] = build.report.diagnostics.filter(({ code }) => code === 'outside-file');
    expect(found?.message).toMatch(
      /^7 files from other servers could not be copied, because fetching is off .* and 4 more\.$/,
    );
  });

  it('shows the images of this build on cached pages', async () => {
    const packs = await mkdtemp(join(tmpdir(), 'docent-packs-'));
    const [from, to] = [join(packs, 'first'), join(packs, 'second')] as const;
    const first = openPagePack({ to: from }, 'v');
    expect(article(await built(undefined, first))).toContain('src="https://x.test/shot.png"');
    expect(
      article(await built(answer, openPagePack({ from: written(first, from), to }, 'v'))),
    ).not.toContain('src="https://x.test/shot.png"');
  });

  it('reports that a copy is from an earlier build', async () => {
    const kept: FetchOutside = async (url, request) =>
      ({ ...(await answer(url, request)), kept: `${url} is down.` }) as OutsideResult;
    const codes = (await built(kept)).build.report.diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code === 'outside-file-kept')).toHaveLength(1);
  });
});

describe('a bundle', () => {
  it.each([
    ['with copies', answer],
    ['without any', undefined],
  ])('%s loads nothing from other servers', async (_, fetchOutside) => {
    const files = await bundled(await built(fetchOutside));
    for (const [path, content] of files)
      if (/\.(?:html|css)$/.test(path)) expect(loadedUrls(content), path).toEqual([]);
  });

  it('shows copied files, and links or posters in place of the others', async () => {
    const html = (await bundled(await built(answer))).get('index.html') ?? '';
    expect(html).toMatch(
      /<img src="\.\/_docent\/outside\/[0-9a-f]{20}\.png" width="800" height="400" alt="A shot"/,
    );
    expect(html).toMatch(/<a class="d-outside"[^>]*href="https:\/\/x\.test\/lies\.png"/);
    expect(html.match(/class="d-embed-poster" src="\.\/_docent\/outside\//g)).toHaveLength(2);
    expect(html).toContain('href="https://www.youtube.com/watch?v=vu_61D1VFAk"');
  });
});
