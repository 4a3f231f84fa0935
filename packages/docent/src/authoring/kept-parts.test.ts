import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectedOutput } from '../../../../test/support/collected-output.ts';
import { runExport } from './build.ts';

const PAGES = Array.from({ length: 13 }, (_, number) => `page-${number}`);
/** A GIF of this width. */
const picture = (width: number) =>
  Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, width, 0, 1, 0, 0, 0, 0, 0x3b]);

let folder = '';
let pages: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-parts-'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'home'));
  mkdirSync(join(folder, 'site/snippets'), { recursive: true });
  pages = [...PAGES];
  writeConfig();
  write('snippets/note.mdx', 'A note.\n');
  write('picture.gif', picture(20));
  for (const name of PAGES) write(`${name}.mdx`, pageText(name));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function write(file: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, 'site', file), content);
}

function writeConfig(name = 'S'): void {
  const config = { name, colors: { primary: '#123456' }, navigation: { pages } };
  write('docs.json', JSON.stringify(config));
}

/** Long enough for several runs of files, of few words, because each takes time in the index. */
function pageText(name: string, { title = name, description = 'Of a page.', text = '' } = {}) {
  const words = Array.from({ length: 300 }, (_, i) => `${(i * 7919) % 97}of${name}`.repeat(16));
  return `---
title: ${title}
description: ${description}
---
import Note from '/snippets/note.mdx';

## Heading of ${name}

${text}See [the next](/${PAGES[(PAGES.indexOf(name) + 1) % PAGES.length]}).

<Note />

![Picture](/picture.gif)

${words.join(' ')}
`;
}

async function exported(cache = true): Promise<Buffer> {
  const out = join(folder, `${cache}.tar.gz`);
  const options = { out, cache, origin: 'https://a.test', basePath: '' };
  const code = await runExport(
    join(folder, 'site'),
    { ...options, omittedLinks: 'live' },
    collectedOutput(),
  );
  expect(code).toBe(0);
  return readFileSync(out);
}

function keptFile(kind: string, ending: string): string {
  const place = join(folder, 'home/docent', kind);
  const name = readdirSync(place).find((file) => file.endsWith(ending));
  return join(place, name ?? '');
}

const CHANGES: [string, () => void][] = [
  ['the text of a page', () => write('page-3.mdx', pageText('page-3', { text: 'New. ' }))],
  ['the title of a page', () => write('page-4.mdx', pageText('page-4', { title: 'Other' }))],
  ['a description', () => write('page-5.mdx', pageText('page-5', { description: 'Changed.' }))],
  [
    'the frontmatter besides',
    () => write('page-8.mdx', pageText('page-8').replace('---', '---\nkeywords: [Gadget]')),
  ],
  [
    'a secret in a page',
    () => write('page-2.mdx', pageText('page-2', { text: `AKIA${'Z7QD2XNB6KHTW3PL'}. ` })),
  ],
  ['a heading', () => write('page-6.mdx', pageText('page-6').replace('Heading of', 'About'))],
  ['the configuration', () => writeConfig('Renamed')],
  ['a snippet', () => write('snippets/note.mdx', 'Another note.\n')],
  ['an image', () => write('picture.gif', picture(40))],
  [
    'an added page',
    () => {
      pages.splice(7, 0, 'added');
      write('added.mdx', pageText('added'));
      writeConfig();
    },
  ],
  [
    'a removed page',
    () => {
      pages = pages.filter((name) => name !== 'page-9');
      rmSync(join(folder, 'site/page-9.mdx'));
      writeConfig();
    },
  ],
  [
    'a renamed page',
    () => {
      pages = pages.map((name) => (name === 'page-12' ? 'renamed' : name));
      renameSync(join(folder, 'site/page-12.mdx'), join(folder, 'site/renamed.mdx'));
      writeConfig();
    },
  ],
];

it('an archive is the same, byte for byte, with and without what the last export kept, after every kind of change', async () => {
  await exported();
  for (const [change, apply] of CHANGES) {
    apply();
    const [kept, whole] = [await exported(), await exported(false)];
    expect(kept.equals(whole), change).toBe(true);
  }
}, 240_000);

it('a change of the text of one page leaves the documents and the Markdown of all others as they are', async () => {
  const files = async () => {
    const out = join(folder, 'unpacked');
    mkdirSync(out, { recursive: true });
    spawnSync('tar', ['-xzf', '-', 'manifest.json'], { cwd: out, input: await exported() });
    const { files: listed } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as {
      files: { path: string; sha256: string }[];
    };
    return new Map(listed.map(({ path, sha256 }) => [path, sha256]));
  };
  const before = await files();
  write('page-3.mdx', pageText('page-3', { text: 'New. ' }));
  const after = await files();
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
  expect(changed.filter((path) => /^page-/.test(path))).toEqual(['page-3.html', 'page-3.md']);
});

it('two exports at once write the same archive, and leave no unfinished file', async () => {
  await exported();
  write('page-3.mdx', pageText('page-3', { text: 'New. ' }));
  const [left, right] = await Promise.all([exported(), exported(false)]);
  expect(left.equals(right)).toBe(true);
  const place = join(folder, 'home/docent/bundles');
  expect(readdirSync(place).filter((name) => name.endsWith('.part'))).toEqual([]);
});

const DAMAGES = [
  ['bundles', '.parts', 0.5],
  ['bundles', '.parts', 0.999],
  ['pages', '.pack', 0.5],
  ['pages', '.pack', 0.9],
] as const;

it('what is damaged in the cache is made again, and the archive is right', async () => {
  await exported();
  for (const [kind, ending, place] of DAMAGES) {
    const path = keptFile(kind, ending);
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length * place);
    bytes.fill(7, at, Math.min(at + 4000, bytes.length));
    writeFileSync(path, bytes);
    const damage = `${kind} at ${place}`;
    write('page-3.mdx', pageText('page-3', { text: `${damage}. ` }));
    const archive = await exported();
    expect(archive.equals(await exported(false)), damage).toBe(true);
    expect(existsSync(path), damage).toBe(true);
  }
});
