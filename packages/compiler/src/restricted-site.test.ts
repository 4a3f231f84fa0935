import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { audienceKey, type CanRead, visibleBuild } from '@docent/format/build/visible-build.ts';
import { readBundleManifest } from '@docent/format/exports/bundle-manifest.ts';
import { canExport } from '@docent/format/exports/export-audience.ts';
import {
  defaultExportOptions,
  type ExportAudience,
} from '@docent/format/exports/export-options.ts';
import { subsetIndex } from '@docent/search/shards/subset-index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from './build-site.ts';
import { bundleFiles } from './bundle/bundle-files.ts';
import { exportedBuild, visibleIndex } from './bundle/exported-build.ts';
import { chunksOf } from './files/bundle-file.ts';
import { describeFile } from './files/file-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-restricted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const page = (word: string, head = '', more = '') =>
  `---\ntitle: ${word} title\n${head}\n---\n\nThe ${word} text. ${more}\n`;
const SOURCE = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    theme: 'mint',
    colors: { primary: '#000000' },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          pages: ['index', 'staff', 'both', { group: 'Partners only', pages: ['partner'] }],
        },
        {
          tab: 'Open',
          public: true,
          pages: ['open', { group: 'Not open', public: false, pages: ['closed'] }],
        },
        { tab: 'Staffroom', icon: 'lock', pages: ['deep/one'] },
      ],
    },
  }),
  'index.mdx': page('everybodyword', '', 'See [deploying](/staff). ![](/images/open.png)'),
  'staff.mdx': page(
    'staffword',
    'groups: ["staff"]',
    'Deploys deployingword. ![](/chart.png) ![](/images/staff.png) ![](/images/open.png)\n\nimport Part from "/snippets/part.mdx"\n\n<Part />',
  ),
  'both.mdx': page(
    'bothword',
    'groups: [" staff ", "partner"]',
    '![](/images/both.png)\n\nimport Part from "/snippets/part.mdx"\n\n<Part />',
  ),
  'partner.mdx': page('partnerword', 'groups: partner'),
  'deep/one.mdx': page('deepword', 'groups: [staff]'),
  'unreadable.mdx': page('unreadableword', 'groups: true'),
  'open.mdx': page(
    'openword',
    '',
    '<div className="mt-7">More</div>\n\nimport Part from "/snippets/part.mdx"\n\n<Part />',
  ),
  'closed.mdx': page('closedword'),
  'snippets/part.mdx': '---\ngroups: [staff]\n---\nsnippetword',
  'images/open.png': 'openpicture',
  'images/flowchart.png': 'flowpicture',
  'styles/site.css': '.flow { background: url(../images/flowchart.png) }',
  'chart.png': 'chartpicture',
  'images/staff.png': 'staffpicture',
  'images/both.png': 'bothpicture',
};

const files = new Map<string, Uint8Array>();
const textOf = ({ sha256 }: FileEntry) => Buffer.from(files.get(sha256) ?? '').toString('utf8');
let build: SiteBuild;

async function built(canSignIn: boolean): Promise<SiteBuild> {
  const sink = {
    async add(bytes: Uint8Array, type: string) {
      const file = describeFile(bytes, type);
      files.set(file.sha256, bytes);
      return file;
    },
  };
  return buildSite(folder, sink, { threads: 1, canSignIn });
}

beforeAll(async () => {
  for (const [path, text] of Object.entries(SOURCE)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  build = await built(true);
});

/**
 * Everything that a build without its restricted part leads to: what a version of Docent serves
 * that does not know the part.
 */
function everythingOf({ restricted: _, report: __, ...open }: SiteBuild): string {
  const entries = [
    ...open.pages.map(({ content }) => content),
    ...Object.values(open.files),
    open.searchIndex,
  ];
  const { navigation: ___, ...config } = open.config;
  return JSON.stringify({ ...open, config }) + entries.map(textOf).join('\n');
}

function seenBy(canRead: CanRead): string {
  const key = audienceKey(build, canRead);
  if (key === undefined) return everythingOf(build);
  const paths = new Set(
    visibleBuild(build, canRead, key, build.searchIndex).pages.map(({ path }) => path),
  );
  const whole = files.get(
    (build.restricted?.searchIndex ?? build.searchIndex).sha256,
  ) as Uint8Array;
  const bytes = subsetIndex(whole, (path) => paths.has(path));
  const searchIndex = describeFile(bytes, 'application/octet-stream');
  files.set(searchIndex.sha256, bytes);
  return everythingOf(visibleBuild(build, canRead, key, searchIndex));
}

const WORDS = {
  everybodyword: [],
  openword: [],
  openpicture: [],
  flowpicture: [],
  '.mt-7': [],
  chartpicture: ['staff'],
  closedword: [],
  staffword: ['staff'],
  deployingword: ['staff'],
  staffpicture: ['staff'],
  deepword: ['staff'],
  Staffroom: ['staff'],
  partnerword: ['partner'],
  'Partners only': ['partner'],
  bothword: ['staff', 'partner'],
  bothpicture: ['staff', 'partner'],
  snippetword: ['staff'],
  unreadableword: ['nobody'],
};

describe('a build of a site whose readers can sign in', () => {
  test.each([[[]], [['staff']], [['partner']], [['partner', 'staff']], [['others']]])(
    'gives readers of %j the words of the pages for them, and no word of another page, in pages, menu, search and files',
    (groups) => {
      const seen = seenBy(
        (audience) =>
          audience.groups === undefined ||
          audience.groups.some((group) => groups.includes(group as never)),
      );
      for (const [word, needed] of Object.entries(WORDS)) {
        const isFor =
          needed.length === 0 || needed.some((group) => groups.includes(group as never));
        expect(seen.includes(word), word).toBe(isFor);
      }
    },
  );

  test('on a private site gives nobody in particular only what is public: by its tab, but for the group that is not', () => {
    const seen = seenBy((audience) => audience.isPublic && audience.groups === undefined);
    const words = Object.keys(WORDS).filter((word) => seen.includes(word));
    expect(words).toEqual(['openword', 'flowpicture', '.mt-7']);
  });

  test('is, for a version that does not know restricted pages, the build of a site without a way to sign in, but for the files of those pages', async () => {
    const parts = ({ restricted: _, id: __, report: ___, pages, ...rest }: SiteBuild) => ({
      ...rest,
      pages: pages.map(({ audience: ____, ...plain }) => plain),
    });
    const plain = await built(false);
    const {
      'images/both.png': both,
      'images/staff.png': staff,
      'chart.png': chart,
      ...openFiles
    } = plain.files;
    expect(both && staff && chart).toBeDefined();
    expect(parts(build)).toEqual(parts({ ...plain, files: openFiles }));
    expect(plain.report.diagnostics.filter(({ code }) => code === 'restricted-page')).toHaveLength(
      5,
    );
  });

  test('reports how many pages the readers of each group see', () => {
    expect(build.report.audiences).toEqual({
      pageCount: 3,
      groups: [
        { name: 'partner', pageCount: 5 },
        { name: 'staff', pageCount: 6 },
      ],
    });
  });

  test.each<[ExportAudience | undefined, string[]]>([
    [undefined, []],
    ['public', []],
    [{ groups: ['partner'] }, ['partner']],
    ['all', ['partner', 'staff']],
  ])(
    'is exported for the audience %j, with its words alone, and the manifest says for whom',
    async (audience, groups) => {
      const exported = exportedBuild(build, canExport(audience, { isPrivate: false }));
      const { partOf } = exported.searchIndex;
      const bytesOf = ({ sha256 }: FileEntry) => files.get(sha256) as Uint8Array;
      const texts: string[] = [];
      for await (const file of bundleFiles({
        build: exported,
        readFile: async (file) =>
          partOf && file === exported.searchIndex
            ? visibleIndex(bytesOf(partOf), exported)
            : bytesOf(file),
        theme: new Map(),
        origin: 'https://acme.test',
        options: { ...defaultExportOptions, ...(audience && { audience }) },
        createdAt: new Date(0),
      }))
        for await (const chunk of chunksOf(file)) texts.push(Buffer.from(chunk).toString('utf8'));
      const text = texts.join('\n');
      for (const [word, needed] of Object.entries(WORDS)) {
        const isFor = needed.length === 0 || needed.some((group) => groups.includes(group));
        expect(text.includes(word), word).toBe(isFor);
      }
      const manifest = readBundleManifest(texts.at(-1) ?? '');
      expect(manifest.options.audience).toEqual(audience === 'public' ? undefined : audience);
    },
  );

  test('reports a page whose groups cannot be read, and a snippet that a page for others imports', () => {
    const { diagnostics } = build.report;
    expect(
      diagnostics.filter(({ code }) => code === 'restricted-page').map(({ file }) => file),
    ).toEqual(['unreadable.mdx']);
    const reported = JSON.stringify(
      diagnostics.filter(({ message }) => message.includes('part.mdx')),
    );
    expect(reported).toContain('both.mdx');
    expect(reported).toContain('open.mdx');
    expect(reported).not.toContain('"staff.mdx');
  });
});
