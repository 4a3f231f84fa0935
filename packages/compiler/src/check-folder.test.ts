import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildSite } from './build-site.ts';
import { checkFolder } from './check-folder.ts';
import { describeFile } from './files/file-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, files: Record<string, string>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const config = (changes: object = {}) =>
  JSON.stringify(
    {
      theme: 'mint',
      name: 'S',
      colors: { primary: '#123456' },
      navigation: { pages: ['index', 'a'] },
      ...changes,
    },
    null,
    2,
  );

const faulty = write('faulty', {
  'docs.json': config({
    thme: 'x',
    redirects: [
      { source: '/x', destination: '/x2' },
      { source: '/x2', destination: '/x' },
      ...['/a.md', '/llms.txt', '/sitemap.xml', '/skill.md', '/none.md'].map((destination, at) => ({
        source: `/to/${at}`,
        destination,
      })),
    ],
  }),
  'index.mdx':
    '---\ntitle: Start\n---\n\n![](/none.png)\n\n#### Deep\n\n[gone](/gone) [A](/a#nowhere)\n\n```nolanguage\nx\n```\n\n<Foo />\n',
  'a.mdx': '---\ntitle: A\n---\n\n<Card>\n\n{a.b.c}\n',
  'lost.mdx': 'Nobody comes here.',
  'old.png': 'x',
  'README.md': '# Not a page',
  'drafts/x.mdx': '[broken](/nowhere)',
  '.mintignore': 'drafts/\n',
});

describe('checkFolder', () => {
  it('reports everything that publishing reports, with the same text', async () => {
    const sink = { add: async (bytes: Uint8Array, type: string) => describeFile(bytes, type) };
    const { report } = await buildSite(faulty, sink, { threads: 1 });
    const { findings, pageCount } = await checkFolder(faulty);
    expect(report.diagnostics.length).toBeGreaterThan(5);
    for (const { severity: _, ...diagnostic } of report.diagnostics)
      expect(findings).toContainEqual(expect.objectContaining(diagnostic));
    expect(pageCount).toBe(report.pageCount);
  });

  it('also reports problems that only concern authors, each with its file and line', async () => {
    const { findings } = await checkFolder(faulty);
    const found = findings.map(
      (one) => `${one.severity} ${one.file}:${one.line ?? ''} ${one.code}`,
    );
    expect(found).toContain('warning index.mdx:5 image-without-text');
    expect(found).toContain('warning index.mdx:7 heading-skip');
    expect(found.filter((one) => one.endsWith('redirect-loop'))).toEqual([
      expect.stringMatching(/^error docs\.json:\d+ /),
      expect.stringMatching(/^error docs\.json:\d+ /),
    ]);
    // The Markdown of a page and generated files are valid redirect targets.
    expect(
      findings.filter(({ code }) => code === 'redirect-target').map(({ message }) => message),
    ).toEqual(['A redirect points to "/none.md", which is not a page.']);
    expect(found).toContain('info lost.mdx: unreachable-page');
    expect(found).toContain('info old.png: unused-file');
  });

  it('uses the first heading of a page with a hidden title as its title', async () => {
    const page = '---\ntitle: Start\nmode: "custom"\n---\n\n# Welcome\n\n## Next\n';
    const folder = write('custom', {
      'docs.json': config(),
      'index.mdx': page,
      'a.mdx': '---\ntitle: A\n---\n\nText.\n',
    });
    expect((await checkFolder(folder)).findings).toEqual([]);
  });

  it('skips ignored files', async () => {
    const { findings } = await checkFolder(faulty);
    expect(
      findings.filter((one) => one.file.startsWith('drafts/') || one.file === 'README.md'),
    ).toEqual([]);
  });

  it('reports an invalid configuration with its position', async () => {
    const broken = write('broken', { 'docs.json': '{\n  "name": "x"\n  "theme": 1\n}' });
    const { findings } = await checkFolder(broken);
    expect(findings).toMatchObject([
      { severity: 'error', code: 'build-failed', file: 'docs.json', line: 2, column: 14 },
    ]);
  });

  it('reports nothing for a folder without problems', async () => {
    const fine = write('fine', {
      'docs.json': config(),
      'index.mdx': '---\ntitle: Start\n---\n\n## Section\n\n[A](/a)\n',
      'a.mdx': '---\ntitle: A\n---\n\nText.\n',
    });
    expect((await checkFolder(fine)).findings).toEqual([]);
  });
});

it('checks pages with groups, and counts those of each group, if readers can sign in', async () => {
  const root = write('restricted', {
    'docs.json': config(),
    'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
    'a.mdx': '---\ntitle: A\ngroups: [staff]\n---\n\n[gone](/gone)\n',
  });
  const codesOf = ({ findings }: Awaited<ReturnType<typeof checkFolder>>) =>
    findings.map(({ code, file }) => `${code} ${file}`);
  const before = await checkFolder(root);
  expect(codesOf(before)).toContain('restricted-page a.mdx');
  expect(before.audiences).toBeUndefined();
  const checked = await checkFolder(root, { canSignIn: true });
  expect(codesOf(checked)).toEqual(['broken-link a.mdx']);
  expect(checked.audiences).toEqual({ pageCount: 1, groups: [{ name: 'staff', pageCount: 2 }] });
});
